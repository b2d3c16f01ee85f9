import { EventEmitter, once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import type { Journal } from '../runtimes/runtime.ts';
import { messages } from './messages.ts';

/** A deployment's log while it is written. Lines are `<time> [<step>] <text>`. */
export interface OpenLog extends Journal {
  /** Resolves when everything is on disk. */
  close(): Promise<void>;
}

export interface LoggedLine {
  /** From 1. */
  id: number;
  line: string;
}

const MOST_BYTES = 4 * 2 ** 20;
const LONGEST_LINE = 8_000;

interface Channel {
  lines: string[];
  bytes: number;
  loaded: Promise<void>;
  written: Promise<void>;
  /** How many write to it now: one or none. */
  writers: number;
  ended: boolean;
  watchers: number;
  changes: EventEmitter;
}

export type DeploymentLogs = ReturnType<typeof createDeploymentLogs>;

/** Logs of deployments, as `<dataDir>/logs/<application>/<deployment>.log`; in memory too while somebody writes or follows. */
export function createDeploymentLogs(dataDir: string, clock: Clock) {
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
      changes: new EventEmitter().setMaxListeners(0),
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
      await mkdir(folder(applicationId), { recursive: true, mode: 0o700 });
      const path = file(applicationId, deploymentId);
      let unwritten = '';
      let step = 'deploy';

      const flush = () => {
        const text = unwritten;
        unwritten = '';
        return text ? appendFile(path, text, { mode: 0o600 }) : undefined;
      };
      const put = (text: string) => {
        const time = timestamp(clock());
        const line = `${time} [${step}] ${text.slice(0, LONGEST_LINE)}`;
        channel.lines.push(line);
        channel.bytes += line.length + 1;
        if (unwritten === '') channel.written = channel.written.then(flush);
        unwritten += `${line}\n`;
        channel.changes.emit('change');
      };
      let cut = false;
      const write = (line: string) => {
        if (channel.bytes < MOST_BYTES) put(plainText(hide(line)));
        else if (!cut) {
          cut = true;
          put(messages.log.cut);
        }
      };

      return {
        write,
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
          if (channel.lines.length <= next && !channel.ended)
            await once(channel.changes, 'change', { signal }).catch(() => {});
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
      channel.changes.emit('change');
    },

    async remove(applicationId: string, deploymentId: string): Promise<void> {
      await rm(file(applicationId, deploymentId), { force: true });
    },

    /** Removes the logs of applications that are not among `kept`. */
    async keepApplications(kept: ReadonlySet<string>): Promise<void> {
      for (const name of await readdir(join(dataDir, 'logs')).catch(() => [])) {
        if (!kept.has(name)) await rm(folder(name), { recursive: true, force: true });
      }
    },

    async forget(applicationId: string): Promise<void> {
      await rm(folder(applicationId), { recursive: true, force: true });
    },
  };
}

/** Without colours and other control characters, which are for terminals. */
function plainText(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return line.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]/g, '');
}
