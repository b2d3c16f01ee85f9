import { type LogEntry, parseLine } from './log-lines.ts';
import { addToSections, type Section } from './log-steps.ts';

/** State of the stream that fills a log: `lost` while the server can't be reached. */
export type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/** Lines of a log that are shown at once at most; earlier ones are dropped. */
const MOST_LINES = 60_000;
/** Number of lines that are dropped together. */
const DROPPED = 10_000;
/** Time in milliseconds between two drawings of new lines. */
const DRAW_MS = 60;

/** Snapshot of a log. A new one is made whenever something changed. */
export interface LogSnapshot {
  lines: readonly LogEntry[];
  sections: readonly Section[];
  connection: Connection;
  /** Error that ended the stream and that a retry can't repair. */
  error: unknown;
  /** Number of lines dropped from the beginning. */
  dropped: number;
}

/** Lines of a log in the order of the stream. Its readers are notified a few times a second at most. */
export class LogBuffer {
  readonly #hasSteps: boolean;
  readonly #readers = new Set<() => void>();
  readonly #lines: LogEntry[] = [];
  readonly #sections: Section[] = [];
  #waiting: LogEntry[] = [];
  #connection: Connection = 'connecting';
  #error: unknown;
  #dropped = 0;
  #lastId: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #snapshot: LogSnapshot;

  constructor(hasSteps: boolean) {
    this.#hasSteps = hasSteps;
    this.#snapshot = this.#take();
  }

  /** `id` of the last line, after which the stream goes on. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  add({ id, text }: { id: string; text: string }): void {
    this.#lastId = id;
    this.#connection = 'open';
    this.#waiting.push(parseLine(text, this.#hasSteps));
    this.#schedule();
  }

  setConnection(connection: Connection, error?: unknown): void {
    if (this.#connection === 'ended') return;
    this.#connection = connection;
    this.#error = error;
    this.#schedule();
  }

  readonly subscribe = (reader: () => void): (() => void) => {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  };

  readonly snapshot = (): LogSnapshot => this.#snapshot;

  /** Draws what was added since the last time, after a short while. */
  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      addToSections(this.#sections, this.#lines, this.#waiting);
      this.#waiting = [];
      if (this.#lines.length > MOST_LINES) this.#drop();
      this.#snapshot = this.#take();
      for (const reader of this.#readers) reader();
    }, DRAW_MS);
  }

  #drop(): void {
    this.#lines.splice(0, DROPPED);
    this.#dropped += DROPPED;
    for (const section of this.#sections) {
      section.from = Math.max(0, section.from - DROPPED);
      section.to = Math.max(0, section.to - DROPPED);
    }
  }

  #take(): LogSnapshot {
    return {
      lines: this.#lines,
      sections: this.#sections,
      connection: this.#connection,
      error: this.#error,
      dropped: this.#dropped,
    };
  }
}
