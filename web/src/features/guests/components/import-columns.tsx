import { Button, Group, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import type { ImportChoices, ImportColumn, ImportDryRun } from '../api/import.ts';
import { type ImportedList, type ImportedSheet, sheetsOf, withSheet } from '../api/import-lists.ts';
import { words } from '../import-words.ts';
import classes from './import.module.css';
import { FIELDS, useColumnName, useFieldLabel } from './import-labels.ts';
import { PlaceTags, SheetsSummary } from './import-sheets.tsx';

interface ImportColumnsProps {
  name: string;
  tried: ImportDryRun;
  choices: ImportChoices;
  chosen: ImportChoices['mapping'];
  isBusy: boolean;
  onChoose(column: string, field: string): void;
  onChoices(choices: ImportChoices): void;
  onForward(): void;
  onBack(): void;
}

/** Step of the import in which the user chooses sheets and assigns a guest field to each column. */
export function ImportColumns(props: ImportColumnsProps) {
  const { name, tried, choices, chosen, isBusy, onChoose, onChoices, onForward, onBack } = props;
  const say = useWords(words);
  const { report, problem } = tried;
  const sheets = sheetsOf(report.lists);
  return (
    <Stack gap="lg">
      {problem && <ProblemNote error={problem} />}
      <Card>
        <Stack gap="xs">
          <Text>{say('columnsAbout', { name })}</Text>
          {sheets.length > 1 && <SheetsSummary sheets={sheets} />}
          <PlaceTags
            lists={report.lists}
            choices={choices}
            onTagsFrom={(tagsFrom) => onChoices({ ...choices, tagsFrom })}
          />
        </Stack>
      </Card>
      {sheets.map((sheet) => (
        <SheetColumns
          key={sheet.name}
          sheet={sheet}
          isOnly={sheets.length === 1}
          isLast={sheet.isRead && sheets.filter(({ isRead }) => isRead).length === 1}
          isBusy={isBusy}
          chosen={chosen}
          onChoose={onChoose}
          onRead={(isRead) => onChoices({ ...choices, sheets: withSheet(sheets, sheet.name, isRead) })}
        />
      ))}
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

interface SheetColumnsProps {
  sheet: ImportedSheet;
  /** True if the imported file has no other sheet. */
  isOnly: boolean;
  /** True if the import reads no other sheet, so that this sheet can't be left out. */
  isLast: boolean;
  isBusy: boolean;
  chosen: ImportChoices['mapping'];
  onChoose(column: string, field: string): void;
  onRead(isRead: boolean): void;
}

/** Sheet of an imported file with its lists, and the switch that leaves the sheet out. */
function SheetColumns({ sheet, isOnly, isLast, isBusy, chosen, onChoose, onRead }: SheetColumnsProps) {
  const say = useWords(words);
  const { name, lists, guests, isRead, because, hasNames } = sheet;
  const [isOpen, setOpen] = useState(false);
  const isShown = isRead || isOnly || isOpen;
  return (
    <Card aria-label={isOnly ? undefined : name}>
      {!isOnly && (
        <Group justify="space-between" gap="xs" mb={isShown ? 'sm' : 0}>
          <div>
            <Title order={3} size="h4">
              <bdi>{name}</bdi>
            </Title>
            <Text size="sm" c="dimmed">
              {isRead ? say('guestsIn', { n: guests }) : because}
            </Text>
          </div>
          {hasNames ? (
            <Switch
              size="md"
              py={8}
              label={say('takeSheet')}
              aria-label={say('takeSheetNamed', { name })}
              checked={isRead}
              disabled={isLast || isBusy}
              onChange={({ currentTarget }) => onRead(currentTarget.checked)}
            />
          ) : (
            !isShown && (
              <Button variant="default" size="sm" h={44} onClick={() => setOpen(true)}>
                {say('chooseNames')}
              </Button>
            )
          )}
        </Group>
      )}
      {isShown &&
        lists.map((list, index) => (
          <ListColumns
            key={list.columns[0]?.key ?? index}
            list={list}
            number={lists.length > 1 ? index + 1 : undefined}
            chosen={chosen}
            onChoose={onChoose}
          />
        ))}
    </Card>
  );
}

interface ListColumnsProps {
  list: ImportedList;
  /** Number of the list on its sheet; undefined if the sheet has only one list. */
  number: number | undefined;
  chosen: ImportChoices['mapping'];
  onChoose(column: string, field: string): void;
}

function ListColumns({ list, number, chosen, onChoose }: ListColumnsProps) {
  const say = useWords(words);
  return (
    <>
      {number !== undefined && (
        <Title order={4} size="h5" mt={number > 1 ? 'md' : 0}>
          <bdi>{list.title ?? say('listNumber', { n: number })}</bdi>
          <Text span size="sm" c="dimmed" fw={400}>
            {' · '}
            {say('guestsIn', { n: list.rows })}
          </Text>
        </Title>
      )}
      <ul className={classes.columns}>
        {list.columns.map((column) => (
          <ColumnChoice
            key={column.key}
            column={column}
            chosen={chosen[column.key]}
            onChoose={(field) => onChoose(column.key, field)}
          />
        ))}
      </ul>
    </>
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
