import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import {
  DECISIONS,
  type Decision,
  type ImportChoices,
  type ImportDryRun,
  type ImportRow,
} from '../api/import.ts';
import { ROW_FILTERS, type RowFilter } from '../api/import-search.ts';
import { words } from '../import-words.ts';
import { Chip } from './chip.tsx';
import classes from './import.module.css';
import { LeftRows } from './import-left-rows.tsx';
import { ImportList } from './import-list.tsx';
import { FamilyQuestion, NamesQuestion } from './import-questions.tsx';
import {
  withCorrection,
  withDecision,
  withDecisions,
  withFamilySize,
  withoutCorrection,
} from './import-row-choices.ts';
import { decisionsOf, doubtOf, matchesRowFilter, partyTotals } from './import-rows.ts';
import listClasses from './list.module.css';

interface ImportPreviewProps {
  eventId: string;
  tried: ImportDryRun;
  choices: ImportChoices;
  /** Filter that selects the rows to show; undefined for the default: the rows that need attention. */
  show: RowFilter | undefined;
  isBusy: boolean;
  /** Error of the latest dry run of the import. */
  error: unknown;
  /** Error of the import itself, as opposed to its dry run. */
  refusal: unknown;
  onShow(show: RowFilter): void;
  onChoices(choices: ImportChoices): void;
  onTake(isSome: boolean): void;
  onRetry(): void;
}

/**
 * Filters of imported rows, the most urgent first. Unless the user chooses a filter, the first one that has rows is
 * used.
 */
const FIRST_SHOWN: readonly RowFilter[] = ['names', 'uncounted', 'refuse', 'ask', 'renamed'];

/** Step of the import that shows the result for each row, and in which the user corrects and decides rows. */
export function ImportPreview(props: ImportPreviewProps) {
  const { eventId, tried, choices, isBusy, error, refusal, onShow, onChoices, onTake, onRetry } = props;
  const { rows, lists, left_rows: leftRows } = tried.report;
  const { decided } = choices;
  const counts = useMemo(() => rowCounts(tried.report, decided), [tried.report, decided]);
  const show = props.show ?? FIRST_SHOWN.find((one) => counts[one] > 0) ?? 'all';
  const shown = useMemo(
    () => rows.filter((row) => matchesRowFilter(row, show, decided)),
    [rows, show, decided],
  );
  const [last, setLast] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list, rows);
  const change = (ref: string, next: ImportChoices) => {
    setLast(ref);
    onChoices(next);
  };
  const correct = (ref: string, cells: Record<string, string>): boolean => {
    const next = withCorrection(choices, ref, cells);
    if (next) change(ref, next);
    return next !== undefined;
  };

  return (
    <Stack gap="md">
      <PartyTotals rows={rows} />
      <RowFilters counts={counts} show={show} onShow={onShow} />
      <FilterQuestion show={show} rows={rows} choices={choices} isBusy={isBusy} onChoices={onChoices} />
      <ProblemNote error={error} onRetry={onRetry} />
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        {show === 'left' ? (
          <LeftRows rows={leftRows} isBusy={isBusy} onTake={(ref) => correct(ref, {})} />
        ) : (
          <ImportList
            eventId={eventId}
            rows={shown}
            choices={choices}
            lists={lists}
            pending={last}
            isBusy={isBusy}
            onCorrect={correct}
            onUndoCorrection={(ref) => onChoices(withoutCorrection(choices, ref))}
            onDecide={(asked, decision) => change(asked.ref, withDecision(choices, asked, decision))}
            onCount={(ref, people) => change(ref, withFamilySize(choices, ref, people))}
          />
        )}
      </div>
      <TakeBar
        tried={tried}
        isBusy={isBusy}
        isHindered={Boolean(error)}
        refusal={error ? undefined : refusal}
        onTake={onTake}
      />
    </Stack>
  );
}

/** Number of imported rows that each filter shows. */
function rowCounts(
  { rows, left_rows: leftRows }: ImportDryRun['report'],
  decided: ImportChoices['decided'],
): Record<RowFilter, number> {
  const count = (show: RowFilter) =>
    show === 'left' ? leftRows.length : rows.filter((row) => matchesRowFilter(row, show, decided)).length;
  return Object.fromEntries(ROW_FILTERS.map((show) => [show, count(show)])) as Record<RowFilter, number>;
}

/** Totals of rows and people, to compare with the totals in the file. */
function PartyTotals({ rows }: { rows: readonly ImportRow[] }) {
  const say = useWords(words);
  const totals = useMemo(() => partyTotals(rows), [rows]);
  return (
    <Text>
      {say('rowsAndPeople', { n: totals.rows, people: say('people', { n: totals.people }) })}
      {totals.unknown > 0 && ` · ${say('rowsWithoutPeople', { n: totals.unknown })}`}
    </Text>
  );
}

interface RowFiltersProps {
  counts: Readonly<Record<RowFilter, number>>;
  show: RowFilter;
  onShow(show: RowFilter): void;
}

function RowFilters({ counts, show, onShow }: RowFiltersProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <fieldset aria-label={say('shown')} className={listClasses.chips}>
      {ROW_FILTERS.filter((one) => counts[one] > 0 || one === show).map((one) => (
        <Chip key={one} isOn={one === show} onToggle={() => onShow(one)}>
          {say(`show_${one}`)}
          <span className={listClasses.count}>{formatNumber(counts[one], language)}</span>
        </Chip>
      ))}
    </fieldset>
  );
}

interface FilterQuestionProps {
  show: RowFilter;
  rows: readonly ImportRow[];
  choices: ImportChoices;
  isBusy: boolean;
  onChoices(choices: ImportChoices): void;
}

/** Questions to the user that apply to all rows which the chosen filter of the import shows. */
function FilterQuestion({ show, rows, choices, isBusy, onChoices }: FilterQuestionProps) {
  const isKept = choices.keepsNames ?? false;
  return (
    <>
      {(show === 'names' || isKept) && (
        <NamesQuestion isKept={isKept} onKeep={(keepsNames) => onChoices({ ...choices, keepsNames })} />
      )}
      {show === 'uncounted' && (
        <FamilyQuestion
          familySize={choices.familySize}
          isBusy={isBusy}
          onFamilySize={(familySize) => onChoices({ ...choices, familySize })}
        />
      )}
      {show === 'ask' && (
        <DecisionForAll
          asked={rows.filter((row) => row.action === 'ask' && doubtOf(row, {}))}
          onDecide={(asked, decision) => onChoices(withDecisions(choices, asked, decision))}
        />
      )}
    </>
  );
}

interface DecisionForAllProps {
  asked: readonly ImportRow[];
  onDecide(asked: readonly ImportRow[], decision: Decision): void;
}

function DecisionForAll({ asked, onDecide }: DecisionForAllProps) {
  const say = useWords(words);
  if (asked.length < 2) return null;
  return (
    <Group gap="xs">
      <Text>{say('forAll')}</Text>
      {DECISIONS.filter((one) => asked.some((row) => decisionsOf(row).includes(one))).map((one) => (
        <Button key={one} variant="default" size="sm" h={44} onClick={() => onDecide(asked, one)}>
          {say(`decide_${one}`)}
        </Button>
      ))}
    </Group>
  );
}

interface TakeBarProps {
  tried: ImportDryRun;
  isBusy: boolean;
  /** True if the latest dry run of the import failed. */
  isHindered: boolean;
  /** Error of the import itself, as opposed to its dry run. */
  refusal: unknown;
  onTake(isSome: boolean): void;
}

/** Bar with buttons that import all rows, or the good rows while the others are kept for correction. */
function TakeBar({ tried, isBusy, isHindered, refusal, onTake }: TakeBarProps) {
  const say = useWords(words);
  const { created, updated, refused, asked } = tried.report;
  const good = created + updated;
  const left = refused + asked;
  if (good + left === 0) return <Text role="status">{say('nothingToImport')}</Text>;
  return (
    <div className={classes.take}>
      <div className={classes.refusal}>
        <ProblemNote error={refusal} />
      </div>
      <Text role="status" style={{ flex: '1 1 220px' }}>
        {isBusy ? say('checking') : left > 0 && say('leftFor', { n: left })}
      </Text>
      {good > 0 && (
        <Button size="lg" disabled={isBusy || isHindered} onClick={() => onTake(left > 0)}>
          {say(left > 0 ? 'importValidRows' : 'take', { n: good })}
        </Button>
      )}
    </div>
  );
}

/** A corrected row leaves the list together with the focus, so the next row of the list is focused. */
function useKeptFocus(list: React.RefObject<HTMLDivElement | null>, rows: readonly ImportRow[]): void {
  const hadIt = useRef(false);
  useEffect(() => {
    const note = () => {
      hadIt.current = list.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time the rows change
  useEffect(() => {
    if (!hadIt.current || document.activeElement !== document.body) return;
    const next = list.current?.querySelector<HTMLElement>('form input, [role=radiogroup] input');
    (next ?? list.current)?.focus();
  }, [rows]);
}
