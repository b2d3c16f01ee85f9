import { createQuote, type Quote } from '../model/reasons/error-lines.ts';
import { createLineReader, type LineReader, LONGEST_LINE } from '../sandbox/lines.ts';
import { createLogRateLimit } from '../sandbox/log-rate-limit.ts';
import type { BuildLog } from './builder.ts';
import type { BuildProgress } from './buildkit-progress.ts';

interface LoggedStep {
  name: string;
  readers: Map<number, LineReader>;
  quote: Quote;
  isAnnounced: boolean;
}

/** Build step whose failure ended the build, with the lines of its output to quote. */
export interface FailedStep {
  command: string;
  quote: Quote;
}

/** Pattern for the names of BuildKit's internal steps, such as loading the context. */
const INTERNAL = /^(?!\[)|^\[internal\]/;
/** Pattern for the beginning of a step's name: `[web 2/3] RUN --mount=type=cache,target=/root npm ci`. */
const RUN = /^(?:\[[^\]]*\] *)?RUN\s+(?:--\S+\s+)*/i;
const FROM = /^(?:\[[^\]]*\] *)?FROM\s+(\S+)/i;

/** Log of a Dockerfile build: the engine's steps, and the output of their commands. */
export class DockerfileLog {
  readonly #buildLog: BuildLog;
  readonly #rateLimit = createLogRateLimit(() => performance.now());
  readonly #steps = new Map<string, LoggedStep>();
  readonly #images = new Set<string>();
  #failed: LoggedStep | undefined;

  constructor(buildLog: BuildLog) {
    this.#buildLog = buildLog;
  }

  /** Names of the images that the build starts or copies from. */
  get images(): readonly string[] {
    return [...this.#images];
  }

  /** Adds progress of BuildKit, which runs independent steps side by side. */
  addProgress({ vertexes, logs }: BuildProgress): void {
    for (const { digest, name, hasStarted, isCached, error } of vertexes) {
      const step = this.#stepOf(digest, name);
      if (hasStarted || isCached) this.#announce(step, isCached ? `CACHED ${name}` : name);
      if (error !== '') this.#failed = step;
    }
    for (const { vertex, stream, bytes } of logs) {
      const step = this.#steps.get(vertex);
      if (step) this.#readerOf(step, stream).push(Buffer.from(bytes));
    }
  }

  /** Writes the last lines of the steps' output that don't end in a newline. */
  end(): void {
    for (const { readers } of this.#steps.values()) for (const reader of readers.values()) reader.end();
  }

  /** Command whose failure ended the build; undefined if no failed command ended it. */
  get failed(): FailedStep | undefined {
    const step = this.#failed;
    if (!step || !RUN.test(step.name)) return undefined;
    return { command: step.name.replace(RUN, ''), quote: step.quote };
  }

  #stepOf(id: string, name: string): LoggedStep {
    const existing = this.#steps.get(id);
    if (existing) return existing;
    const step = { name, readers: new Map(), quote: createQuote(this.#buildLog), isAnnounced: false };
    this.#steps.set(id, step);
    const [, image] = FROM.exec(name) ?? [];
    if (image !== undefined) this.#images.add(image);
    return step;
  }

  #announce(step: LoggedStep, line: string): void {
    if (step.isAnnounced || INTERNAL.test(step.name)) return;
    step.isAnnounced = true;
    this.#buildLog.output([line]);
  }

  /** The two output streams of a build step are read separately, so that their lines do not mix. */
  #readerOf({ readers, quote }: LoggedStep, stream: number): LineReader {
    const existing = readers.get(stream);
    if (existing) return existing;
    const reader = createLineReader(LONGEST_LINE, this.#rateLimit, quote.add);
    readers.set(stream, reader);
    return reader;
  }
}
