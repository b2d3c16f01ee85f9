import type { WriteStream } from 'node:tty';
import picocolors from 'picocolors';

export type Colours = ReturnType<typeof picocolors.createColors>;

/** Terminal at a stream of this process; without one, output is plain. */
export interface Terminal {
  isTerminal: boolean;
  /** True if the output of others keeps its colours: on a terminal, unless NO_COLOR is set. */
  hasColours: boolean;
  colours: Colours;
  /** Number of character cells in a line; Infinity if the stream is no terminal. */
  columns: number;
}

export function terminalAt(stream: WriteStream): Terminal {
  const isTerminal = stream.isTTY === true;
  const colours = picocolors.createColors(hasColours(isTerminal));
  return {
    isTerminal,
    hasColours: isTerminal && colours.isColorSupported,
    colours,
    columns: isTerminal ? stream.columns || 80 : Number.POSITIVE_INFINITY,
  };
}

/** NO_COLOR (https://no-color.org) wins over FORCE_COLOR; otherwise terminals have colours. */
function hasColours(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}

/** True if questions can be asked: someone types, and sees the question. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
