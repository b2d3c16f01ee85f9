import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Logger } from './log.ts';

/**
 * Number of file descriptors below which a warning is logged: a site's visitor needs two descriptors, a site's sandbox
 * some hundred.
 */
const FEW = 4_096;
/** Number of free file descriptors below which one burst of connections can use them all. */
const ALMOST_NONE = 16;
const LOOK_MS = 5_000;
const WARNED_EVERY_MS = 60_000;
const HOW_TO_RAISE = 'raise the limit (`ulimit -n`, or `LimitNOFILE=` of a systemd unit)';

/**
 * Maximum number of files and connections that a process may have open, read from the text of its `/proc/<pid>/limits`;
 * undefined if the text doesn't say. The soft limit is read: node raises its own to the hard limit.
 */
export function parseFileLimit(limits: string): number | undefined {
  const [, most] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return most === undefined ? undefined : Number(most);
}

/** Maximum number of files and connections that this process may have open, and each process that it starts. */
export function readOwnFileLimit(): number | undefined {
  return readLimit(() => readFileSync('/proc/self/limits', 'utf8'));
}

/** True if an operation failed for want of file descriptors. */
export function isOutOfFiles(error: unknown): boolean {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  if (code === 'EMFILE' || code === 'ENFILE') return true;
  // Some calls of node itself, such as for the machine's network addresses, report only the error's number.
  const { EMFILE, ENFILE } = constants.errno;
  return typeof errno === 'number' && [EMFILE, ENFILE].includes(Math.abs(errno));
}

/** True if a program's output says that it had no file descriptors left. */
export function reportsOutOfFiles(output: string): boolean {
  return /too many open files/i.test(output);
}

export interface OpenFilesParts {
  log: Logger;
  limits?: () => string;
  /** Counts the open descriptors of this process; fails with EMFILE if there is not one left to count with. */
  open?: () => Promise<number>;
}

/**
 * Warns at the start if the limit is low, and once a minute while no descriptor is left: the kernel then accepts
 * connections and closes them at once, without any other sign.
 */
export function watchOpenFiles({
  log,
  limits = () => readFileSync('/proc/self/limits', 'utf8'),
  open = async () => (await readdir('/proc/self/fd')).length,
}: OpenFilesParts): { look(): Promise<void>; stop(): void } {
  const most = readLimit(limits);
  if (most !== undefined && most < FEW) {
    log.warn(
      `this process may have ${most} files and connections open, fewer than ${FEW}: visitors beyond that are refused, and deployments may fail; ${HOW_TO_RAISE}`,
    );
  }
  let quietUntil = 0;
  const look = async () => {
    const left = await open().then(
      (count) => (most === undefined ? ALMOST_NONE : most - count),
      (error) => (isOutOfFiles(error) ? 0 : ALMOST_NONE),
    );
    if (left >= ALMOST_NONE || performance.now() < quietUntil) return;
    quietUntil = performance.now() + WARNED_EVERY_MS;
    log.warn(
      `no more files or connections can be opened (${most ?? 'the system’s limit'}): connections are refused, and deployments may fail; ${HOW_TO_RAISE}`,
    );
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  return { look, stop: () => clearInterval(timer) };
}

function readLimit(limits: () => string): number | undefined {
  try {
    return parseFileLimit(limits());
  } catch {
    return undefined;
  }
}
