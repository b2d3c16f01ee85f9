import { isolate } from './bidi.ts';
import { logLine, printable } from './printable.ts';
import { type Column, pairsOf, tableOf, wrap } from './table.ts';
import { type Terminal, terminalAt } from './terminal.ts';

/**
 * Output of a command. Its result goes to stdout, as JSON if asked for; notes, questions and errors go to stderr, so
 * that a program reads nothing but the result.
 */
export class Output {
  readonly isJson: boolean;
  readonly stdout: Terminal = terminalAt(process.stdout);
  readonly stderr: Terminal = terminalAt(process.stderr);

  constructor({ json = false }: { json?: boolean } = {}) {
    this.isJson = json;
  }

  /** Prints the result: the API's own shape as JSON, or the text that `render` makes of it. */
  result<T>(data: T, render: (data: T) => string): void {
    const text = this.isJson ? JSON.stringify(data, null, 2) : render(data);
    if (text !== '') process.stdout.write(`${text}\n`);
  }

  /** Prints what was done, for people. */
  note(text: string): void {
    if (!this.isJson) process.stderr.write(`${text}\n`);
  }

  /** Prints an advice on what to do next; only on a terminal. */
  hint(text: string): void {
    if (!this.isJson && this.stderr.isTerminal) process.stderr.write(`${this.stderr.colours.dim(text)}\n`);
  }

  table<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
    return tableOf(columns, rows, this.stdout);
  }

  pairs(pairs: readonly (readonly [string, string | undefined])[]): string {
    return pairsOf(pairs, this.stdout);
  }

  /** Line of a log; for a terminal, without escape sequences and control characters other than colours. */
  line(text: string): string {
    return logLine(text, this.stdout);
  }

  /** Query of a log: with colours if its output goes to a terminal that shows them. */
  get logColours(): { colors?: true } {
    return this.stdout.hasColours && !this.isJson ? { colors: true } : {};
  }

  /** Breaks sentences into lines that fit the terminal. */
  wrap(text: string): string {
    return wrap(this.stdout.isTerminal ? printable(text) : text, this.stdout);
  }

  /**
   * Name that a user has given, such as an event's; on a terminal, right-to-left letters in the name don't reorder the
   * rest of the sentence.
   */
  name(text: string): string {
    return this.stdout.isTerminal ? isolate(printable(text)) : text;
  }

  /** Status in a colour for its kind: green for what works; other colours for what is in progress, failed or idle. */
  status(text: string, word = text): string {
    const { green, yellow, red, dim } = this.stdout.colours;
    const styles: Readonly<Record<string, (text: string) => string>> = {
      live: green,
      running: green,
      succeeded: green,
      proved: green,
      published: green,
      done: green,
      deploying: yellow,
      queued: yellow,
      building: yellow,
      starting: yellow,
      waiting: yellow,
      pending: yellow,
      in_progress: yellow,
      failed: red,
      down: red,
      overdue: red,
      stopped: dim,
      asleep: dim,
      created: dim,
      superseded: dim,
      cancelled: dim,
      skipped: dim,
      draft: dim,
    };
    return (styles[word] ?? ((plain: string) => plain))(text);
  }

  /** Time as text: readable for people on a terminal; unchanged for programs. */
  time(instant: string | null, forPeople: (instant: string) => string): string {
    if (instant === null) return '';
    return this.stdout.isTerminal ? forPeople(instant) : instant;
  }
}
