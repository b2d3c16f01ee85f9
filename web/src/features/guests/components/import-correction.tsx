import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import { complaintOf } from '../../../lib/problems.ts';
import { useStored, writeStored } from '../../../lib/stored-value.ts';
import type { ImportColumn, ImportRow } from '../api/import.ts';
import { words } from '../import-words.ts';
import classes from './import.module.css';
import { RowFacts } from './import-facts.tsx';
import { useColumnName } from './import-labels.ts';
import { wrongColumns } from './import-rows.ts';

interface CorrectionFormProps {
  eventId: string;
  row: ImportRow;
  columns: readonly ImportColumn[];
  isPending: boolean;
  /** Saves the corrected cells of a row. Returns false if the import has too many corrections. */
  onCorrect(cells: Record<string, string>): boolean;
}

/** Form that corrects the wrong cells of an imported row, and on demand its other cells. */
export function CorrectionForm({ eventId, row, columns, isPending, onCorrect }: CorrectionFormProps) {
  const say = useWords(words);
  const nameOf = useColumnName();
  const draftKey = `import-${eventId}-row-${row.ref}`;
  const { cells } = row;
  const wrong = wrongColumns(row, columns);
  const [isWhole, setWhole] = useState(wrong.length === 0);
  const [typed, setTyped] = useStored<Record<string, string>>(draftKey, {});
  const [isTooMuch, setTooMuch] = useState(false);
  const sentence = row.problem && complaintOf(row.problem, row.field);
  if (!cells) {
    return (
      <>
        <Text c="var(--mantine-color-error)">{sentence}</Text>
        <Text size="sm">{say('cantCorrect')}</Text>
      </>
    );
  }
  const others = columns.filter((column) => column.column in cells && !wrong.includes(column));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const changed = Object.entries(typed).filter(
      ([column, text]) => column in cells && cells[column] !== text,
    );
    const isTaken = onCorrect(Object.fromEntries(changed));
    setTooMuch(!isTaken);
    if (isTaken) writeStored(draftKey, undefined);
  };
  const input = (column: ImportColumn, error?: string) => (
    <TextInput
      key={column.column}
      label={<bdi>{nameOf(column)}</bdi>}
      dir="auto"
      autoComplete="off"
      value={typed[column.column] ?? cells[column.column] ?? ''}
      error={error}
      onChange={({ currentTarget }) => setTyped({ ...typed, [column.column]: currentTarget.value })}
    />
  );
  const [first, ...rest] = wrong;
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="sm">
        {!first && <Text c="var(--mantine-color-error)">{sentence}</Text>}
        <div className={classes.cells}>
          {first && input(first, sentence)}
          {rest.map((column) => input(column))}
          {isWhole && others.map((column) => input(column))}
        </div>
        {!isWhole && <RowFacts row={row} columns={others} />}
        {isTooMuch && (
          <Text c="var(--mantine-color-error)" role="alert">
            {say('tooManyCorrections')}
          </Text>
        )}
        <Group gap="xs">
          <Button type="submit" size="sm" h={44} variant="light" loading={isPending}>
            {say('check')}
          </Button>
          {!isWhole && others.length > 0 && (
            <Button size="sm" h={44} variant="subtle" onClick={() => setWhole(true)}>
              {say('wholeRow')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
