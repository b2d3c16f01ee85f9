import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import type { LoggedLine } from './log.ts';
import { createNews, type News } from './news.ts';

const MOST_BYTES = 2 ** 20;
const REMEMBERED = 1_000;
const FLUSH_MS = 50;

interface Tape {
  /** The newest lines, for those who follow. */
  recent: LoggedLine[];
  unwritten: string;
  written: Promise<void>;
  news: News;
}

export type SiteLogs = ReturnType<typeof createSiteLogs>;

/**
 * What running sites write, as `<dataDir>/logs/<application>/site.log`, and `site.log.1` with what was before:
 * one or two MiB of each site. Numbers of lines grow over restarts of the server too.
 */
export function createSiteLogs(dataDir: string, clock: Clock) {
  const tapes = new Map<string, Tape>();
  let last = 0;
  const folder = (applicationId: string) => join(dataDir, 'logs', applicationId);
  const file = (applicationId: string) => join(folder(applicationId), 'site.log');

  const tapeOf = (applicationId: string): Tape => {
    const tape = tapes.get(applicationId) ?? {
      recent: [],
      unwritten: '',
      written: Promise.resolve(),
      news: createNews(),
    };
    tapes.set(applicationId, tape);
    return tape;
  };
  const flush = async (applicationId: string, tape: Tape) => {
    const text = tape.unwritten;
    tape.unwritten = '';
    const path = file(applicationId);
    await mkdir(folder(applicationId), { recursive: true, mode: 0o700 });
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    if (size > MOST_BYTES) await rename(path, `${path}.1`);
    await appendFile(path, text, { mode: 0o600 });
  };
  const schedule = (applicationId: string, tape: Tape) => {
    // Many lines become one write.
    const pause = new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
    tape.written = tape.written
      .then(() => pause)
      .then(() => flush(applicationId, tape))
      .catch(() => {});
  };

  return {
    write(applicationId: string, text: string): void {
      const tape = tapeOf(applicationId);
      const now = clock();
      const line = `${timestamp(now)} ${text}`;
      last = Math.max(last + 1, now.epochMilliseconds * 1_000);
      tape.recent.push({ id: last, line });
      if (tape.recent.length > REMEMBERED) tape.recent.splice(0, REMEMBERED / 10);
      if (tape.unwritten === '') schedule(applicationId, tape);
      if (tape.unwritten.length < MOST_BYTES) tape.unwritten += `${line}\n`;
      tape.news.soon();
    },

    /** The newest lines, oldest first. */
    async tail(applicationId: string, most: number): Promise<string> {
      await tapes.get(applicationId)?.written;
      const path = file(applicationId);
      const texts = await Promise.all(
        [`${path}.1`, path].map((one) => readFile(one, 'utf8').catch(() => '')),
      );
      return texts
        .join('')
        .split('\n')
        .slice(0, -1)
        .slice(-most)
        .map((line) => `${line}\n`)
        .join('');
    },

    /** The newest lines after number `after`, and then each as it comes, until the signal. */
    async *follow(applicationId: string, after: number, signal: AbortSignal): AsyncGenerator<LoggedLine> {
      const tape = tapeOf(applicationId);
      for (let seen = after; !signal.aborted; ) {
        const lines = tape.recent.slice(indexAfter(tape.recent, seen));
        for (const line of lines) yield line;
        seen = lines.at(-1)?.id ?? seen;
        if ((tape.recent.at(-1)?.id ?? 0) > seen) continue;
        await tape.news.next(signal);
      }
    },

    async forget(applicationId: string): Promise<void> {
      const tape = tapes.get(applicationId);
      tapes.delete(applicationId);
      await tape?.written;
    },

    async close(): Promise<void> {
      await Promise.all([...tapes.values()].map(({ written }) => written));
    },
  };
}

/** Where the lines after number `seen` begin; most often at the end, or near it. */
function indexAfter(lines: readonly LoggedLine[], seen: number): number {
  return lines.findLastIndex(({ id }) => id <= seen) + 1;
}
