import type { LogEntry } from './log-lines.ts';

export type StepState = 'running' | 'done' | 'failed' | 'ended';

/** Step of a deployment, or lines outside of any step, which have no header. */
export interface Section {
  /** Name of the step; undefined for lines outside of steps. */
  step: string | undefined;
  state: StepState;
  /** Time the step began, as in the log. */
  began: string;
  /** Seconds that an ended step took, as in the log. */
  seconds: string | undefined;
  /** Indexes of the section's lines: from `from` up to, but excluding, `to`. */
  from: number;
  to: number;
  /** True if one of the lines says an error. */
  hasError: boolean;
}

const BEGINNING = '…';
const END = /^(done in|failed after|ended after) ([\d.]+) s$/;
const STATES: Readonly<Record<string, StepState>> = {
  'done in': 'done',
  'failed after': 'failed',
  'ended after': 'ended',
};

/**
 * Adds lines of a log to its sections, and those that are shown to `lines`. The lines with which the server marks the
 * beginning and the end of a step become the section's header.
 */
export function addToSections(sections: Section[], lines: LogEntry[], more: readonly LogEntry[]): void {
  const running = () => sections.findLast(({ step, state }) => step !== undefined && state === 'running');
  for (const entry of more) {
    if (entry.step !== '' && entry.plain === BEGINNING) {
      // A step without an end was interrupted, since the server starts over after it was restarted.
      const interrupted = running();
      if (interrupted) interrupted.state = 'ended';
      sections.push(sectionFrom(lines.length, entry));
      continue;
    }
    const [, how = '', seconds] = END.exec(entry.plain) ?? [];
    const state = STATES[how];
    const ended = state && running();
    if (ended && ended.step === entry.step) {
      Object.assign(ended, { state, seconds });
      continue;
    }
    const last = sections.at(-1);
    const isWithin =
      last && (last.step === undefined || (last.state === 'running' && last.step === entry.step));
    const section = isWithin ? last : sectionFrom(lines.length);
    if (!isWithin) sections.push(section);
    lines.push(entry);
    section.to = lines.length;
    section.hasError ||= entry.level === 'error';
  }
}

const sectionFrom = (from: number, { step, time }: { step?: string; time?: string } = {}): Section => ({
  step,
  state: 'running',
  began: time ?? '',
  seconds: undefined,
  from,
  to: from,
  hasError: false,
});

/** Row of a log: a line by its index, or the header of a section by `-1 - index`. */
export type Row = number;

export const headerRow = (section: number): Row => -1 - section;

/** Index of the section whose header a row is; undefined for a line. */
export const sectionOfRow = (row: Row): number | undefined => (row < 0 ? -1 - row : undefined);

/** Rows of a log in their order: headers of steps, and the lines of sections that are not folded. */
export function rowsOf(
  sections: readonly Section[],
  isFolded: (section: Section, index: number) => boolean,
): Row[] {
  const rows: Row[] = [];
  sections.forEach((section, index) => {
    if (section.step !== undefined) rows.push(headerRow(index));
    if (section.step !== undefined && isFolded(section, index)) return;
    for (let line = section.from; line < section.to; line += 1) rows.push(line);
  });
  return rows;
}

/** Index of the section that has a line. */
export const sectionOfLine = (sections: readonly Section[], line: number): number =>
  sections.findIndex(({ from, to }) => line >= from && line < to);
