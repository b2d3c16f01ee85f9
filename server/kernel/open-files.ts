import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Logger } from './log.ts';

/** A visitor of a site takes two, a site's sandbox some hundred. */
const FEW = 4_096;
/** So few are left that the next burst of connections has none. */
const ALMOST_NONE = 16;
const LOOK_MS = 5_000;
const WARNED_EVERY_MS = 60_000;
const HOW_TO_RAISE = 'raise the limit (`ulimit -n`, or `LimitNOFILE=` of a systemd unit)';

/** How many files and connections this process may have open; undefined where nothing says it. node raises it to the hard limit. */
export function limitOf(limits: string): number | undefined {
  const [, most] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return most === undefined ? undefined : Number(most);
}

/** The same of this process, and of those that it starts. */
export function ownLimit(): number | undefined {
  return readLimit(() => readFileSync('/proc/self/limits', 'utf8'));
}

/** Whether it is for want of file descriptors that something failed. */
export function isOutOfFiles(error: unknown): boolean {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  if (code === 'EMFILE' || code === 'ENFILE') return true;
  // node’s own calls, such as for the machine’s addresses, tell the number alone.
  const { EMFILE, ENFILE } = constants.errno;
  return typeof errno === 'number' && [EMFILE, ENFILE].includes(Math.abs(errno));
}

/** The same of what a program says. */
export function saysOutOfFiles(said: string): boolean {
  return /too many open files/i.test(said);
}

export interface OpenFilesParts {
  log: Logger;
  limits?: () => string;
  /** How many are open; fails with EMFILE where not even the question can be asked. */
  open?: () => Promise<number>;
}

/**
 * Warns at the start where few files may be open, and once a minute while none is left: the kernel then takes connections
 * and ends them at once, and nothing but this tells of it.
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
    return limitOf(limits());
  } catch {
    return undefined;
  }
}
