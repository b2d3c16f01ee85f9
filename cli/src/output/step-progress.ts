import { logLine } from './printable.ts';
import type { Terminal } from './terminal.ts';
import { duration } from './time.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 120;
const CLEAR_LINE = '\r\x1b[2K';
/** Line of a deployment's log: time, step and text. */
const LINE = /^(\S+Z) \[([\w-]+)\] (.*)$/s;

interface Step {
  name: string;
  startedAt: number;
}

/**
 * Progress of a deployment, made from the lines of its log. A terminal shows the lines under their steps, the duration
 * of each finished step, and below them the step that goes on; elsewhere the lines are printed as they are.
 */
export class StepProgress {
  readonly #stream: NodeJS.WritableStream;
  readonly #terminal: Terminal;
  readonly #begunAt = Date.now();
  #step: Step | undefined;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  constructor(stream: NodeJS.WritableStream, terminal: Terminal) {
    this.#stream = stream;
    this.#terminal = terminal;
    if (terminal.isTerminal) this.#timer = setInterval(() => this.#draw(), FRAME_MS);
  }

  line(received: string): void {
    const line = logLine(received, this.#terminal);
    const [, , step = '', text = line] = LINE.exec(line) ?? [];
    const [, took] = /^done in (.+)$/.exec(text) ?? [];
    const { dim } = this.#terminal.colours;
    if (!this.#terminal.isTerminal || step === '') this.#print(line);
    else if (text === '…') this.#start(step);
    else if (took !== undefined) this.#finish(step, took);
    else this.#print(`${dim(`${step.padEnd(8)}│`)} ${text}`);
  }

  /** Shows that the connection is away while the deployment goes on. */
  disconnected(): void {
    if (this.#terminal.isTerminal)
      this.#step = { name: 'connection lost; trying again', startedAt: Date.now() };
  }

  /** Removes the line of the running step. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#terminal.isTerminal) this.#stream.write(CLEAR_LINE);
  }

  get milliseconds(): number {
    return Date.now() - this.#begunAt;
  }

  #start(name: string): void {
    this.#step = { name, startedAt: Date.now() };
    this.#draw();
  }

  #finish(name: string, took: string): void {
    const { green, bold, dim } = this.#terminal.colours;
    this.#step = undefined;
    this.#print(`${green('✓')} ${bold(name)} ${dim(took)}`);
  }

  #print(line: string): void {
    this.#stream.write(`${this.#terminal.isTerminal ? CLEAR_LINE : ''}${line}\n`);
    this.#draw();
  }

  #draw(): void {
    if (!this.#terminal.isTerminal) return;
    const { cyan, dim } = this.#terminal.colours;
    const { name, startedAt } = this.#step ?? { name: 'waiting', startedAt: this.#begunAt };
    this.#frame = (this.#frame + 1) % FRAMES.length;
    const time = dim(duration(Date.now() - startedAt));
    this.#stream.write(`${CLEAR_LINE}${cyan(FRAMES[this.#frame] ?? '')} ${name} ${time}`);
  }
}
