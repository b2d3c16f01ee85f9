import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { Fragment } from 'react';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import type { ImportChoices, ImportColumn, ImportDryRun } from '../api/import.ts';
import { words } from '../import-words.ts';
import classes from './import.module.css';
import { FIELDS, useColumnName, useFieldLabel } from './import-labels.ts';

interface ImportColumnsProps {
  name: string;
  tried: ImportDryRun;
  chosen: ImportChoices['mapping'];
  onChoose(column: string, field: string): void;
  onForward(): void;
  onBack(): void;
}

/** Step of the import in which each column gets its field. */
export function ImportColumns({ name, tried, chosen, onChoose, onForward, onBack }: ImportColumnsProps) {
  const say = useWords(words);
  const { report, problem } = tried;
  return (
    <Stack gap="lg">
      {problem && <ProblemNote error={problem} />}
      <Card>
        <Text mb="sm">{say('columnsAbout', { name })}</Text>
        <ul className={classes.columns}>
          {report.lists
            .flatMap(({ columns }) => columns)
            .map((column) => (
              <ColumnChoice
                key={column.key}
                column={column}
                chosen={chosen[column.key]}
                onChoose={(field) => onChoose(column.key, field)}
              />
            ))}
        </ul>
      </Card>
      <Group>
        <Button
          size="lg"
          onClick={onForward}
          rightSection={<ArrowRight size={20} aria-hidden className="turns" />}
        >
          {say('forward')}
        </Button>
        <Button size="lg" variant="default" onClick={onBack}>
          {say('back')}
        </Button>
      </Group>
    </Stack>
  );
}

interface ColumnChoiceProps {
  column: ImportColumn;
  chosen: string | undefined;
  onChoose(field: string): void;
}

const QUESTION = 'question';

function ColumnChoice({ column, chosen, onChoose }: ColumnChoiceProps) {
  const say = useWords(words);
  const labelOf = useFieldLabel();
  const nameOf = useColumnName();
  const { heading, samples, field, question, left_because: because } = column;
  const read = question ? QUESTION : (field ?? 'ignore');
  const data = FIELDS.map((value) => ({ value: value as string, label: labelOf(value) }));
  return (
    <li className={classes.column}>
      <div style={{ minWidth: 0 }}>
        <Text fw={600} truncate>
          <bdi>{nameOf(column)}</bdi>
        </Text>
        <Text className={classes.samples}>
          {say(samples.length > 0 ? 'forInstance' : 'noSamples')}
          {samples.map((sample, index) => (
            <Fragment key={sample}>
              {index > 0 ? ' · ' : ' '}
              <bdi>{sample}</bdi>
            </Fragment>
          ))}
        </Text>
        {because && !chosen && (
          <Text size="sm" mt={2}>
            {because}
          </Text>
        )}
      </div>
      <Select
        aria-label={say('columnIs', { heading: heading || column.column })}
        allowDeselect={false}
        maxDropdownHeight={320}
        data={question ? [{ value: QUESTION, label: say('question') }, ...data] : data}
        value={chosen ?? read}
        onChange={(value) => value && onChoose(value)}
      />
    </li>
  );
}
