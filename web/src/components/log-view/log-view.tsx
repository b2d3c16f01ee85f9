import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDownToLine, ChevronDown, ChevronUp, CircleAlert, Download, Pause, Search } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../../lib/language-context.tsx';
import { saveFile } from '../../lib/save-file.ts';
import { ProblemNote } from '../problem-note.tsx';
import type { LogSnapshot } from './log-buffer.ts';
import type { LogEntry } from './log-lines.ts';
import { LineRow, StepHeader } from './log-rows.tsx';
import { type Row, rowsOf, type Section, sectionOfLine, sectionOfRow } from './log-steps.ts';
import classes from './log-view.module.css';
import { foldCase } from './marks.ts';
import { words } from './words.ts';

interface LogViewProps {
  log: LogSnapshot;
  /** Name of the file as which the log is downloaded. */
  fileName: string;
  /** True if the steps that succeeded are folded at first. */
  foldsDone?: boolean;
  /** Process whose lines alone are shown, such as `worker`; undefined for all. */
  process?: string | undefined;
  /** Further controls, such as the choice of a process. */
  children?: ReactNode;
  /** Sentence of a log without lines; by default that there are none yet. */
  empty?: string;
}

const LINE_HEIGHT = 20;
const HEADER_HEIGHT = 44;
/** Distance from the end, in pixels, within which the end counts as reached. */
const NEAR_END = 24;
/** Number of lines that fit into that distance. */
const WITHIN_END = Math.floor(NEAR_END / LINE_HEIGHT);

/** Log of a deployment, a run or a site: live, with search and steps that fold. Only the visible rows are drawn. */
export function LogView({ log, fileName, foldsDone = false, process, children, empty }: LogViewProps) {
  const say = useWords(words);
  const { lines, sections, connection, error, dropped } = log;
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(new Map());
  const isFolded = ({ state }: Section, index: number) => folds.get(index) ?? (foldsDone && state === 'done');
  // The lists grow in place, so each snapshot has new rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `log` is new whenever its lists have grown
  const rows = useMemo(() => {
    const all = rowsOf(sections, isFolded);
    return process === undefined ? all : all.filter((row) => isOf(lines[row], process));
  }, [log, folds, foldsDone, process]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ((rows[index] ?? 0) < 0 ? HEADER_HEIGHT : LINE_HEIGHT),
    getItemKey: (index) => rows[index] ?? index,
    overscan: 24,
  });
  const end = useFollow(scroller, virtualizer, rows.length, connection !== 'ended');
  const fold = (index: number, folded: boolean) => setFolds(new Map(folds).set(index, folded));

  /** Scrolls to a line, and unfolds its step. */
  const show = (line: number) => {
    const index = sectionOfLine(sections, line);
    const section = sections[index];
    end.hold();
    if (section && isFolded(section, index)) fold(index, false);
    // The rows of an unfolded step are drawn first.
    requestAnimationFrame(() => setTarget({ line }));
  };
  const [target, setTarget] = useState<{ line: number }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once for each target
  useEffect(() => {
    if (!target) return;
    const at = rows.indexOf(target.line);
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'center' });
  }, [target]);

  const search = useLogSearch(log, show);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `log` is new whenever its lines have grown
  const firstError = useMemo(() => lines.findIndex(({ level }) => level === 'error'), [log]);
  // A log that ended badly is opened at its first error, unless the user went elsewhere in it.
  const wasShown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the log has ended
  useEffect(() => {
    if (connection !== 'ended' || firstError < 0 || wasShown.current) return;
    wasShown.current = true;
    if (end.isFollowing) show(firstError);
  }, [connection, firstError]);
  const download = () => {
    const text = lines.map(({ time, step, plain }) =>
      [time, step && `[${step}]`, plain].filter(Boolean).join(' '),
    );
    saveFile(new File([`${text.join('\n')}\n`], fileName, { type: 'text/plain' }));
  };
  return (
    <div className={classes.log}>
      <Group gap="xs" className={classes.tools}>
        {children}
        <SearchField {...search} />
        {firstError >= 0 && (
          <Button
            size="sm"
            variant="default"
            leftSection={<CircleAlert size={16} aria-hidden />}
            onClick={() => show(firstError)}
          >
            {say('firstError')}
          </Button>
        )}
        {connection !== 'ended' && (
          <Button
            size="sm"
            variant="default"
            leftSection={
              end.isFollowing ? <Pause size={16} aria-hidden /> : <ArrowDownToLine size={16} aria-hidden />
            }
            onClick={end.isFollowing ? end.hold : end.follow}
          >
            {say(end.isFollowing ? 'hold' : 'follow')}
          </Button>
        )}
        <ActionIcon variant="default" size={36} aria-label={say('download')} onClick={download}>
          <Download size={18} aria-hidden />
        </ActionIcon>
      </Group>
      {error !== undefined && <ProblemNote error={error} />}
      <div className={classes.screen} dir="ltr">
        <section
          ref={scroller}
          className={classes.scroller}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area is moved by the keyboard too
          tabIndex={0}
          aria-label={say('log')}
          onScroll={end.onScroll}
        >
          {dropped > 0 && (
            <Text size="sm" className={classes.note} dir="auto">
              {say('dropped', { n: dropped })}
            </Text>
          )}
          <div className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, key, start }) => (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={classes.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                <RowContent
                  row={rows[index] ?? 0}
                  log={log}
                  isFolded={isFolded}
                  onFold={fold}
                  search={search}
                />
              </div>
            ))}
          </div>
          <Text size="sm" className={classes.note} dir="auto" role="status">
            {connection === 'lost' && say('lost')}
            {connection === 'connecting' && say('connecting')}
            {rows.length === 0 &&
              (connection === 'open' || connection === 'ended') &&
              (empty ?? say('waiting'))}
          </Text>
        </section>
        {!end.isFollowing && end.newLines > 0 && connection !== 'ended' && (
          <Button size="sm" className={classes.more} onClick={end.follow} dir="auto">
            {say('newLines', { n: end.newLines })}
          </Button>
        )}
      </div>
    </div>
  );
}

/** True for a line of any replica of a process. */
const isOf = (entry: LogEntry | undefined, process: string): boolean =>
  entry !== undefined && entry.process.slice(0, entry.process.lastIndexOf('.')) === process;

interface RowContentProps {
  row: Row;
  log: LogSnapshot;
  isFolded(section: Section, index: number): boolean;
  onFold(index: number, folded: boolean): void;
  search: LogSearch;
}

function RowContent({ row, log: { lines, sections }, isFolded, onFold, search }: RowContentProps) {
  const index = sectionOfRow(row);
  if (index === undefined) {
    const entry = lines[row];
    return entry && <LineRow entry={entry} searched={search.searched} isFound={search.foundLine === row} />;
  }
  const section = sections[index];
  if (!section) return null;
  const folded = isFolded(section, index);
  return <StepHeader section={section} isFolded={folded} onToggle={() => onFold(index, !folded)} />;
}

interface Follow {
  isFollowing: boolean;
  /** Number of rows that were added since the user held the log. */
  newLines: number;
  follow(): void;
  hold(): void;
  onScroll(): void;
}

/** Keeps the end of a log in view, until the user scrolls up or holds it. */
function useFollow(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rows: number,
  isLive: boolean,
): Follow {
  const [isFollowing, setFollowing] = useState(isLive);
  const [heldAt, setHeldAt] = useState(0);
  const lastTop = useRef(0);
  // Scrolling to the end is reported a moment later. After Hold, such a report must not make the log follow again.
  const isPinned = useRef(false);
  useEffect(() => {
    if (isFollowing && rows > 0) virtualizer.scrollToIndex(rows - 1, { align: 'end' });
  }, [isFollowing, rows, virtualizer]);
  const hold = () => {
    if (isFollowing) setHeldAt(rows);
    setFollowing(false);
  };
  const newLines = Math.max(0, rows - heldAt);
  return {
    isFollowing,
    newLines,
    follow: () => setFollowing(true),
    hold() {
      isPinned.current = true;
      hold();
    },
    onScroll() {
      const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = scroller.current ?? {};
      const isUp = scrollTop < lastTop.current;
      const isAtEnd = scrollTop + clientHeight >= scrollHeight - NEAR_END;
      lastTop.current = scrollTop;
      if (isUp && !isAtEnd) {
        isPinned.current = false;
        hold();
      } else if (isAtEnd && isLive && !isFollowing && (!isPinned.current || newLines > WITHIN_END)) {
        setFollowing(true);
      }
    },
  };
}

interface LogSearch {
  typed: string;
  /** Searched text in lower case; empty if nothing is searched. */
  searched: string;
  /** Number of lines that have the text. */
  found: number;
  /** Position of the current match, counted from 1; 0 if there is none. */
  at: number;
  foundLine: number | undefined;
  onType(text: string): void;
  onStep(by: 1 | -1): void;
}

/** Lines that have a text, and the one to which the user went. */
function useLogSearch(log: LogSnapshot, show: (line: number) => void): LogSearch {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const searched = foldCase(typed.trim());
  const found = useMemo(() => matchesIn(log, searched), [log, searched]);
  const go = (matches: readonly number[], position: number) => {
    setAt(position);
    const line = matches[position - 1];
    if (line !== undefined) show(line);
  };
  return {
    typed,
    searched,
    found: found.length,
    at: Math.min(at, found.length),
    foundLine: found[at - 1],
    onType(text) {
      setTyped(text);
      const matches = matchesIn(log, foldCase(text.trim()));
      go(matches, Math.min(1, matches.length));
    },
    onStep: (by) => go(found, found.length === 0 ? 0 : ((at - 1 + by + found.length) % found.length) + 1),
  };
}

function matchesIn({ lines }: LogSnapshot, searched: string): number[] {
  if (searched === '') return [];
  return lines.flatMap(({ plain }, line) => (foldCase(plain).includes(searched) ? [line] : []));
}

function SearchField({ typed, searched, found, at, onType, onStep }: LogSearch) {
  const say = useWords(words);
  return (
    <Group gap={4} wrap="nowrap" className={classes.search}>
      <TextInput
        size="sm"
        type="search"
        dir="auto"
        aria-label={say('search')}
        placeholder={say('search')}
        leftSection={<Search size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && onStep(shiftKey ? -1 : 1)}
        style={{ flex: 1, minWidth: 120 }}
      />
      {searched !== '' && (
        <>
          <Text size="sm" role="status" className={classes.count}>
            {found === 0 ? say('noneFound') : say('found', { at, n: found })}
          </Text>
          <ActionIcon variant="default" size={36} aria-label={say('previous')} onClick={() => onStep(-1)}>
            <ChevronUp size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" size={36} aria-label={say('next')} onClick={() => onStep(1)}>
            <ChevronDown size={18} aria-hidden />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}
