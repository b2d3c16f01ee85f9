import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import {
  areCorrectionsTooLong,
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
import { decisionsOf } from './import-duplicate.tsx';
import { ImportList } from './import-list.tsx';
import { matchesRowFilter } from './import-rows.ts';
import listClasses from './list.module.css';

interface ImportPreviewProps {
  eventId: string;
  tried: ImportDryRun;
  choices: ImportChoices;
  /** Filter of the rows; undefined for the default, the rows that need attention. */
  show: RowFilter | undefined;
  isBusy: boolean;
  /** Error of the latest dry run of the import. */
  error: unknown;
  /** Error of the import itself. */
  refusal: unknown;
  onShow(show: RowFilter): void;
  onChoices(choices: ImportChoices): void;
  onTake(isSome: boolean): void;
  onRetry(): void;
}

/** Step of the import with the result for each row, where rows are corrected and decided. */
export function ImportPreview(props: ImportPreviewProps) {
  const { eventId, tried, choices, isBusy, error, refusal, onShow, onChoices, onTake, onRetry } = props;
  const say = useWords(words);
  const { language } = useLanguage();
  const { rows, lists } = tried.report;
  const { decided, corrections } = choices;
  const counts = useMemo(
    () =>
      Object.fromEntries(
        ROW_FILTERS.map((show) => [show, rows.filter((row) => matchesRowFilter(row, show, decided)).length]),
      ) as Record<RowFilter, number>,
    [rows, decided],
  );
  const show = props.show ?? (counts.refuse > 0 ? 'refuse' : counts.ask > 0 ? 'ask' : 'all');
  const shown = useMemo(
    () => rows.filter((row) => matchesRowFilter(row, show, decided)),
    [rows, show, decided],
  );
  const [last, setLast] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list, rows);

  const correct = (ref: string, cells: Record<string, string>): boolean => {
    const next = { ...corrections, [ref]: { ...corrections[ref], ...cells } };
    if (areCorrectionsTooLong(next)) return false;
    setLast(ref);
    onChoices({ ...choices, corrections: next });
    return true;
  };
  const undoCorrection = (ref: string) => {
    const { [ref]: _, ...others } = corrections;
    onChoices({ ...choices, corrections: others });
  };
  const decide = (asked: ImportRow, decision: Decision | undefined) => {
    setLast(asked.ref);
    const { [asked.ref]: _, ...others } = decided;
    onChoices({ ...choices, decided: decision ? { ...others, [asked.ref]: { decision, asked } } : others });
  };
  const asked = rows.flatMap((row) => (row.action === 'ask' ? [row] : []));
  const decideAll = (decision: Decision) => {
    const some = asked.filter((row) => decisionsOf(row).includes(decision));
    const now = Object.fromEntries(some.map((row) => [row.ref, { decision, asked: row }]));
    onChoices({ ...choices, decided: { ...decided, ...now } });
  };

  return (
    <Stack gap="md">
      <fieldset aria-label={say('shown')} className={listClasses.chips}>
        {ROW_FILTERS.filter((one) => counts[one] > 0 || one === show).map((one) => (
          <Chip key={one} isOn={one === show} onToggle={() => onShow(one)}>
            {say(`show_${one}`)}
            <span className={listClasses.count}>{formatNumber(counts[one], language)}</span>
          </Chip>
        ))}
      </fieldset>
      {show === 'ask' && asked.length > 1 && (
        <Group gap="xs">
          <Text>{say('forAll')}</Text>
          {DECISIONS.filter((one) => asked.some((row) => decisionsOf(row).includes(one))).map((one) => (
            <Button key={one} variant="default" size="sm" h={44} onClick={() => decideAll(one)}>
              {say(`decide_${one}`)}
            </Button>
          ))}
        </Group>
      )}
      <ProblemNote error={error} onRetry={onRetry} />
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        <ImportList
          eventId={eventId}
          rows={shown}
          choices={choices}
          lists={lists}
          pending={last}
          isBusy={isBusy}
          onCorrect={correct}
          onUndoCorrection={undoCorrection}
          onDecide={decide}
        />
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

interface TakeBarProps {
  tried: ImportDryRun;
  isBusy: boolean;
  /** True if the latest check failed. */
  isHindered: boolean;
  /** Error of the import itself. */
  refusal: unknown;
  onTake(isSome: boolean): void;
}

/** Bar that imports everything, or the good rows while the others are kept for correction. */
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

/** A corrected row leaves the list together with the focus, so the next row is focused. */
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
