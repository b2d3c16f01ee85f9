import { constants } from 'node:fs';
import { appendFile, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { shown } from '../logs/shown.ts';
import type { Journal } from '../runtimes/runtime.ts';
import { messages } from './messages.ts';
import { createNews, type News } from './news.ts';

/** A deployment's log while it is written. Lines are `<time> [<step>] <text>`. */
export interface OpenLog extends Journal {
  /** Resolves when everything is on disk that the disk takes. */
  close(): Promise<void>;
}

export interface LoggedLine {
  /** From 1. */
  id: number;
  line: string;
}

const MOST_BYTES = 4 * 2 ** 20;
/** Between two tries to write a log that could not be written. */
const RETRY_MS = 1_000;

interface Channel {
  lines: string[];
  bytes: number;
  loaded: Promise<void>;
  written: Promise<void>;
  /** How many write to it now: one or none. */
  writers: number;
  ended: boolean;
  watchers: number;
  news: News;
}

export type DeploymentLogs = ReturnType<typeof createDeploymentLogs>;

/**
 * Logs of deployments, as `<dataDir>/logs/<application>/<deployment>.log`; in memory too while somebody writes or
 * follows. A disk that takes no line costs lines and nothing else: no deployment, and not the server.
 */
export function createDeploymentLogs(dataDir: string, clock: Clock, log: Logger) {
  const channels = new Map<string, Channel>();
  const folder = (applicationId: string) => join(dataDir, 'logs', applicationId);
  const file = (applicationId: string, deploymentId: string) =>
    join(folder(applicationId), `${deploymentId}.log`);

  const channelOf = (applicationId: string, deploymentId: string): Channel => {
    const known = channels.get(deploymentId);
    if (known) return known;
    const channel: Channel = {
      lines: [],
      bytes: 0,
      loaded: Promise.resolve(),
      written: Promise.resolve(),
      writers: 0,
      ended: false,
      watchers: 0,
      news: createNews(),
    };
    channel.loaded = readFile(file(applicationId, deploymentId), 'utf8').then(
      (text) => {
        channel.lines.unshift(...text.split('\n').slice(0, -1));
        channel.bytes += text.length;
      },
      () => {},
    );
    channels.set(deploymentId, channel);
    return channel;
  };
  const leave = (deploymentId: string, channel: Channel) => {
    channel.watchers -= 1;
    if (channel.watchers === 0) channels.delete(deploymentId);
  };

  return {
    /** Goes on where an earlier life of the server left off. `hide` takes what must not be read out of a line. */
    async open(
      applicationId: string,
      deploymentId: string,
      hide: (line: string) => string,
    ): Promise<OpenLog> {
      const channel = channelOf(applicationId, deploymentId);
      channel.watchers += 1;
      channel.writers += 1;
      await channel.loaded;
      const path = file(applicationId, deploymentId);
      let unwritten = '';
      let step = 'deploy';
      let failing: { since: number; code: string } | undefined;

      const note = (error: NodeJS.ErrnoException) => {
        if (!failing) {
          log.error({ err: error, deployment: deploymentId }, 'the log of a deployment can’t be written');
        }
        failing = { since: performance.now(), code: error.code ?? error.message };
      };
      const flush = async (isLast: boolean): Promise<void> => {
        const text = unwritten;
        unwritten = '';
        try {
          if (!failing) {
            if (text) await appendFile(path, text, { mode: 0o600 });
          } else if (isLast || performance.now() - failing.since >= RETRY_MS) {
            const { code } = failing;
            await writeWhole(folder(applicationId), path, channel.lines);
            failing = undefined;
            put(messages.log.writtenAgain(code));
          }
        } catch (error) {
          note(error as NodeJS.ErrnoException);
        }
      };
      const put = (text: string) => {
        const time = timestamp(clock());
        const line = `${time} [${step}] ${text}`;
        channel.lines.push(line);
        channel.bytes += line.length + 1;
        if (unwritten === '') channel.written = channel.written.then(() => flush(false));
        unwritten += `${line}\n`;
        channel.news.soon();
      };
      await mkdir(folder(applicationId), { recursive: true, mode: 0o700 }).catch(note);
      let cut = false;
      const keep = (line: string) => {
        if (channel.bytes < MOST_BYTES) put(shown(line, hide));
        else if (!cut) {
          cut = true;
          put(messages.log.cut);
        }
      };

      return {
        write: (line) => put(shown(line, hide)),
        output(lines) {
          for (const line of lines) keep(line);
        },
        async step(name, work) {
          const outer = step;
          const began = performance.now();
          step = name;
          const seconds = () => ((performance.now() - began) / 1_000).toFixed(2);
          put(messages.log.stepBegins);
          try {
            const result = await work();
            step = name;
            put(messages.log.stepDone(seconds()));
            return result;
          } catch (error) {
            step = name;
            put(messages.log.stepFailed(seconds()));
            throw error;
          } finally {
            step = outer;
          }
        },
        async close() {
          channel.written = channel.written.then(() => flush(true));
          await channel.written;
          // What that flush had to say itself.
          await channel.written;
          channel.writers -= 1;
          leave(deploymentId, channel);
        },
      };
    },

    /** All there is so far. */
    async read(applicationId: string, deploymentId: string): Promise<string> {
      const channel = channels.get(deploymentId);
      await channel?.loaded;
      if (channel) return channel.lines.map((line) => `${line}\n`).join('');
      return readFile(file(applicationId, deploymentId), 'utf8').catch(() => '');
    },

    /**
     * The lines after `after` as they come, to the deployment's end. `isFinal` is asked once, after we listen,
     * so that no end is missed.
     */
    async *follow(
      applicationId: string,
      deploymentId: string,
      after: number,
      isFinal: () => Promise<boolean>,
      signal: AbortSignal,
    ): AsyncGenerator<LoggedLine> {
      const channel = channelOf(applicationId, deploymentId);
      channel.watchers += 1;
      try {
        await channel.loaded;
        // The last words are written after the end is on record.
        let ended = (await isFinal()) && channel.writers === 0;
        for (let next = after; !signal.aborted; ) {
          ended ||= channel.ended;
          for (; next < channel.lines.length; next += 1) {
            yield { id: next + 1, line: channel.lines[next] ?? '' };
          }
          if (ended) return;
          // Nothing is awaited between the look at the lines and this, so no change is missed.
          if (channel.lines.length <= next && !channel.ended) await channel.news.next(signal);
        }
      } finally {
        leave(deploymentId, channel);
      }
    },

    /** Tells those who follow that nothing more will come. */
    end(deploymentId: string): void {
      const channel = channels.get(deploymentId);
      if (!channel) return;
      channel.ended = true;
      channel.news.now();
    },

    async remove(applicationId: string, deploymentId: string): Promise<void> {
      await rm(file(applicationId, deploymentId), { force: true });
    },

    /** Removes the logs of applications that are not among `kept`. */
    async keepApplications(kept: ReadonlySet<string>): Promise<void> {
      for (const name of await readdir(join(dataDir, 'logs')).catch(() => [])) {
        if (kept.has(name)) continue;
        // The next start tries again; what can't be removed must not keep this one from being one.
        await rm(folder(name), { recursive: true, force: true }).catch((error) =>
          log.warn(
            { err: error, application: name },
            'logs of an application that is gone could not be removed',
          ),
        );
      }
    },

    async forget(applicationId: string): Promise<void> {
      await rm(folder(applicationId), { recursive: true, force: true });
    },
  };
}

/** From the first line on: what stands there already is the same, or half of a line, or gone with its folder. */
async function writeWhole(folder: string, path: string, lines: readonly string[]): Promise<void> {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await using file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  await file.writeFile(bytes);
  await file.truncate(bytes.length);
}
