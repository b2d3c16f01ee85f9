import { Button, Stack, Text } from '@mantine/core';
import { useWords } from '../../../lib/language-context.tsx';
import { withoutMachineNames } from '../../../lib/problems.ts';
import type { Decision, ImportColumn, ImportRow } from '../api/import.ts';
import { words } from '../import-words.ts';
import classes from './import.module.css';
import { CorrectionForm } from './import-correction.tsx';
import { PossibleDuplicate } from './import-duplicate.tsx';
import { FIELDS, type Field, useFieldLabel, useRowName } from './import-labels.ts';
import { FamilySize } from './import-questions.tsx';
import { isUncounted } from './import-rows.ts';

export interface RowParts {
  eventId: string;
  columns: readonly ImportColumn[];
  /** True while a dry run of the import checks the user's latest change of the row. */
  isPending: boolean;
  onCorrect(ref: string, cells: Record<string, string>): boolean;
  onUndoCorrection(ref: string): void;
  onDecide(asked: ImportRow, decision: Decision | undefined): void;
  onCount(ref: string, people: number | undefined): void;
}

interface ImportRowProps extends RowParts {
  row: ImportRow;
  /** Row as the server sent it when it asked whether the row is a duplicate; undefined if the server did not ask. */
  doubt: ImportRow | undefined;
  decision: Decision | undefined;
  /** True for an imported row that the user left out although it is no possible duplicate. */
  isLeftOut: boolean;
  /** Number of people that the user entered for the family of this row alone. */
  counted: number | undefined;
  /** Title of the list that contains the row, if the sheet has other lists beside it. */
  title: string | undefined;
  isCorrected: boolean;
}

/** Row of the imported file with its result, its errors and the user's decision. */
export function ImportRowView(props: ImportRowProps) {
  const { eventId, row, columns, doubt, decision, isLeftOut, counted, title, isCorrected, isPending } = props;
  const { onCorrect, onUndoCorrection, onDecide, onCount } = props;
  const say = useWords(words);
  const placeOf = useRowName();
  const { action, warning } = row;
  const name = row.name || say('nameless');
  const isToMend = action === 'refuse' || doubt?.code === 'other_name';
  return (
    <Stack gap={6}>
      <div className={classes.head}>
        <bdi className={classes.name}>{name}</bdi>
        <span className={classes.number}>{placeOf(row.ref, title)}</span>
      </div>
      <RowResult row={row} isCorrected={isCorrected} />
      {warning && <Text size="sm">{withoutMachineNames(warning.message)}</Text>}
      {isUncounted(row) && (
        <FamilySize
          key={row.family_size}
          row={row}
          counted={counted}
          onCount={(people) => onCount(row.ref, people)}
        />
      )}
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
      {(action === 'refuse' || row.code === 'how_many') && (
        <RowButton label={say('leaveOutNamed', { name })} onClick={() => onDecide(row, 'skip')}>
          {say('leaveOut')}
        </RowButton>
      )}
      {isLeftOut && (
        <RowButton label={say('takeInNamed', { name })} onClick={() => onDecide(row, undefined)}>
          {say('takeIn')}
        </RowButton>
      )}
      {isCorrected && (
        <RowButton label={say('undoCorrectionNamed', { name })} onClick={() => onUndoCorrection(row.ref)}>
          {say('undoCorrection')}
        </RowButton>
      )}
    </Stack>
  );
}

function RowButton({ label, onClick, children }: { label: string; onClick(): void; children: string }) {
  return (
    <Button
      variant="subtle"
      size="sm"
      h={44}
      aria-label={label}
      style={{ alignSelf: 'flex-start', paddingInline: 0 }}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

/** Result of an imported row: action, changed fields, a differing name, and a number read from the name. */
function RowResult({ row, isCorrected }: { row: ImportRow; isCorrected: boolean }) {
  const say = useWords(words);
  const labelOf = useFieldLabel();
  const { action, fields = [], from_name: fromName, new_name: newName, name, party_size: size } = row;
  if (action === 'refuse' || action === 'ask') return null;
  const changed = fields
    .filter((field): field is Field => FIELDS.some((known) => known === field))
    .map(labelOf);
  return (
    <>
      {newName && (
        <Text size="sm">
          {say('onList')}: <bdi>{name}</bdi> · {say('inTheFile')}: <b dir="auto">{newName}</b>
        </Text>
      )}
      {fromName && (
        <Text size="sm">
          {say('people', { n: fromName.party_size })} · {say('inTheFile')}: <bdi>{fromName.written}</bdi>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {say(`is_${action}`)}
        {size !== undefined && !fromName && ` · ${say('people', { n: size })}`}
        {changed.length > 0 && ` · ${say('changes', { fields: changed.join(', ') })}`}
        {isCorrected && ` · ${say('corrected')}`}
      </Text>
    </>
  );
}
