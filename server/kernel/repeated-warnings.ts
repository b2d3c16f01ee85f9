import type { Logger } from './log.ts';

/** Beyond that all of it may be said once more. */
const MOST = 1_000;
/** In what is said again and again a number, such as a connection's port, is another each time. */
const NUMBERS = /\d+/g;

type About = Readonly<Record<string, string>>;

const known = new WeakMap<Logger, ReturnType<typeof createLasting>>();

/**
 * Warnings of what is tried again and again, each said once for as long as its reason lasts. A log has one of them, whoever asks:
 * what tries may be made anew each time.
 */
export function repeatedWarnings(log: Logger) {
  const lasting = known.get(log) ?? createLasting(log);
  known.set(log, lasting);
  return lasting;
}

function createLasting(log: Logger) {
  const said = new Map<string, string>();
  const keyOf = (about: About, what: string) => JSON.stringify([what, about]);
  return {
    warn(about: About, what: string, why: string): void {
      const key = keyOf(about, what);
      const reason = why.replace(NUMBERS, '');
      if (said.get(key) === reason) return;
      if (said.size >= MOST) said.clear();
      said.set(key, reason);
      log.warn(about, `${what}: ${why}`);
    },

    /** It went well: where it fails again, that is said. */
    over(about: About, what: string): void {
      said.delete(keyOf(about, what));
    },
  };
}
