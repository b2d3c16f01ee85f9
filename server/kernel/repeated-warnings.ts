import type { Logger } from './log.ts';

/**
 * Maximum number of warnings that are remembered. When it is reached, all are forgotten and may be logged once more.
 */
const MOST = 1_000;
/** Numbers in a warning, such as a connection's port, may differ each time, so warnings are compared without them. */
const NUMBERS = /\d+/g;

type About = Readonly<Record<string, string>>;

const warningsByLog = new WeakMap<Logger, ReturnType<typeof createRepeatedWarnings>>();

/**
 * Warnings about attempts that are repeated, each logged once while its reason lasts. Warnings are remembered for each
 * log and not in the objects that make the attempts, because these objects may be created anew each time.
 */
export function repeatedWarnings(log: Logger) {
  const warnings = warningsByLog.get(log) ?? createRepeatedWarnings(log);
  warningsByLog.set(log, warnings);
  return warnings;
}

function createRepeatedWarnings(log: Logger) {
  const logged = new Map<string, string>();
  const keyOf = (about: About, what: string) => JSON.stringify([what, about]);
  return {
    warn(about: About, what: string, why: string): void {
      const key = keyOf(about, what);
      const reason = why.replace(NUMBERS, '');
      if (logged.get(key) === reason) return;
      if (logged.size >= MOST) logged.clear();
      logged.set(key, reason);
      log.warn(about, `${what}: ${why}`);
    },

    /** Forgets a logged warning after a success, so that the next failure is logged again. */
    clear(about: About, what: string): void {
      logged.delete(keyOf(about, what));
    },
  };
}
