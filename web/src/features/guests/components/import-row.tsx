import { Button, Stack, Text } from '@mantine/core';
import { useWords } from '../../../lib/language-context.tsx';
import { withoutMachineNames } from '../../../lib/problems.ts';
import type { Decision, ImportColumn, ImportRow } from '../api/import.ts';
import { words } from '../import-words.ts';
import classes from './import.module.css';
import { CorrectionForm } from './import-correction.tsx';
import { PossibleDuplicate } from './import-duplicate.tsx';
import { FIELDS, type Field, useFieldLabel } from './import-labels.ts';

export interface RowParts {
  eventId: string;
  columns: readonly ImportColumn[];
  /** True while the latest change of the row is being checked. */
  isPending: boolean;
  onCorrect(ref: string, cells: Record<string, string>): boolean;
  onUndoCorrection(ref: string): void;
  onDecide(asked: ImportRow, decision: Decision | undefined): void;
}

interface ImportRowProps extends RowParts {
  row: ImportRow;
  /** Row as it was when the server asked whether the row is a duplicate; undefined if the server did not ask. */
  doubt: ImportRow | undefined;
  decision: Decision | undefined;
  isCorrected: boolean;
}

/** Row of the file with its result, its errors and its decision. */
export function ImportRowView(props: ImportRowProps) {
  const {
    eventId,
    row,
    columns,
    doubt,
    decision,
    isCorrected,
    isPending,
    onCorrect,
    onUndoCorrection,
    onDecide,
  } = props;
  const say = useWords(words);
  const labelOf = useFieldLabel();
  const { action, name, fields = [], warning } = row;
  const changed = fields
    .filter((field): field is Field => FIELDS.some((known) => known === field))
    .map(labelOf);
  const isToMend = action === 'refuse' || doubt?.code === 'other_name';
  return (
    <Stack gap={6}>
      <div className={classes.head}>
        <bdi className={classes.name}>{name || say('nameless')}</bdi>
        <span className={classes.number}>{say('rowNumber', { row: row.ref })}</span>
      </div>
      {action !== 'refuse' && action !== 'ask' && (
        <Text size="sm" c="dimmed">
          {say(`is_${action}`)}
          {changed.length > 0 && ` · ${say('changes', { fields: changed.join(', ') })}`}
          {isCorrected && ` · ${say('corrected')}`}
        </Text>
      )}
      {warning && <Text size="sm">{withoutMachineNames(warning.message)}</Text>}
      {doubt && (
        <PossibleDuplicate
          eventId={eventId}
          asked={doubt}
          columns={columns}
          decision={decision}
          onDecide={(chosen) => onDecide(doubt, chosen)}
        />
      )}
      {isToMend && action !== 'update' && action !== 'skip' && (
        <CorrectionForm
          key={row.problem}
          eventId={eventId}
          row={row}
          columns={columns}
          isPending={isPending}
          onCorrect={(cells) => onCorrect(row.ref, cells)}
        />
      )}
      {isCorrected && (
        <Button
          variant="subtle"
          size="sm"
          h={44}
          aria-label={say('undoCorrectionNamed', { name: name || say('nameless') })}
          style={{ alignSelf: 'flex-start', paddingInline: 0 }}
          onClick={() => onUndoCorrection(row.ref)}
        >
          {say('undoCorrection')}
        </Button>
      )}
    </Stack>
  );
}
