import { existsSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../kernel/config.ts';
import { type FolderLock, lockFolder } from '../../kernel/database/lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { RuntimeFailure } from '../builds/failure.ts';
import { folderInside, refuseLinksOutside } from '../builds/folders.ts';
import { folderWithIndex, type Step } from '../builds/plan.ts';
import { readSource } from '../builds/source.ts';
import { reason, say } from '../reasons/reason.ts';
import { type Command, startCommand } from './command.ts';
import type { Confined, Isolation, IsolationSettings } from './confined.ts';
import { giveTree, openUp } from './disk.ts';
import { chooseIsolation } from './isolation.ts';
import { excessOf, type Wardens, watchDisk } from './limits.ts';
import { messages } from './messages.ts';
import { processesMarked, readProcesses, signalProcess } from './processes.ts';
import type { BuildOrder, Facts, Instance, ReleaseName, Runtime, Variables } from './runtime.ts';
import { createTrash, type Trash } from './trash.ts';

export type ProcessSettings = IsolationSettings &
  Pick<Config, 'dataDir' | 'appsBuildSeconds' | 'appsBuildMemoryMb' | 'appsMemoryMb' | 'appsDiskMb'>;

/** Threads, of which a program of today has a dozen. */
const MOST_BUILD_PROCESSES = 1_000;
const MOST_SITE_PROCESSES = 500;
const MEBIBYTE = 2 ** 20;
const HOST = '127.0.0.1';
/** How long what an earlier life left over may take to vanish once it is killed. */
const RECOVERY_MS = 5_000;

/**
 * Sites as child processes of this server, on ports of the loopback address. One server a data folder.
 *
 *     <dataDir>/sites/<application>/releases/<release>/source   a release that is started, with what its build left
 *     <dataDir>/sites/<application>/releases/<release>/site     a static release: nothing but what is served
 *     <dataDir>/sites/<application>/cache                       the home of its builds
 *     <dataDir>/sites/<application>/home                        the home of the running site, which outlives releases
 *     <dataDir>/sites/trash                                     what is being removed
 */
export async function createProcessRuntime(
  settings: ProcessSettings,
  log: Logger,
  wardens: Wardens,
): Promise<Runtime> {
  const base = join(settings.dataDir, 'sites');
  await mkdir(base, { recursive: true, mode: 0o700 });
  const isolation = await chooseIsolation(settings, base);
  const { ownDepth } = isolation;
  const running = new Set<Command>();
  const ports = new Set<number>();
  const trash = createTrash(join(base, 'trash'), log);
  const closing = new AbortController();
  let lock: FolderLock | undefined;
  const killAll = () => {
    for (const command of running) command.kill(reason('stopped'));
  };
  // A server that is told not to wait any longer leaves nobody behind: plain processes would outlive it.
  process.once('exit', killAll);

  const place = (applicationId: string) => join(base, applicationId);
  const releases = (applicationId: string) => join(place(applicationId), 'releases');
  const release = ({ applicationId, releaseId }: ReleaseName) => join(releases(applicationId), releaseId);
  const source = (name: ReleaseName) => join(release(name), 'source');
  const site = (name: ReleaseName) => join(release(name), 'site');

  const home = async (applicationId: string, kind: 'cache' | 'home') => {
    const folder = join(place(applicationId), kind);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await give(folder);
    return folder;
  };
  const give = async (folder: string): Promise<void> => {
    if (isolation.account !== undefined) await giveTree(folder, isolation.account);
  };

  const refuseUnsafe = (): void => {
    if (isolation.refusal) throw new RuntimeFailure(isolation.refusal);
  };

  /** What a command without walls has left in these folders, unless another command that runs there may have. */
  const endStrays = (folders: readonly string[]): void => {
    if (isolation.encloses) return;
    const table = readProcesses();
    const known = new Set(
      [...running].flatMap(({ pid }) => (pid === undefined ? [] : table.treeOf(pid).map((one) => one.pid))),
    );
    for (const pid of folders.flatMap((folder) => processesMarked(`${folder}/`))) {
      if (!known.has(pid)) signalProcess(pid, 'SIGKILL');
    }
  };

  /** Ends a command that fills a folder. */
  const watchFolder = (command: Command, folder: string, exceeds: 'release_exceeds' | 'home_exceeds') => {
    const over = new AbortController();
    void command.ended.then(() => over.abort());
    watchDisk([folder], settings.appsDiskMb, ({ how }) => command.kill(reason(exceeds, { how })), over.signal)
      // One that nobody watches must not go on.
      .catch(() => command.kill(reason('stopped')));
  };

  const runStep = async (order: BuildOrder, step: Step, deadline: number): Promise<void> => {
    const { applicationId, journal, signal } = order;
    signal.throwIfAborted();
    closing.signal.throwIfAborted();
    const cache = await home(applicationId, 'cache');
    const confined: Confined = {
      command: step.command,
      folder: source(order),
      below: order.root,
      writable: true,
      home: cache,
      variables: { ...namesOf(order.facts), ...packageSettings(isolation), CI: 'true', ...order.variables },
      mostFileBytes: settings.appsDiskMb * MEBIBYTE,
    };
    const limits = { memoryMb: settings.appsBuildMemoryMb, processes: MOST_BUILD_PROCESSES };
    journal.write(`$ ${step.command}`);
    const command = startCommand(wardens, isolation.confine(confined), limits, journal.output, ownDepth);
    running.add(command);
    const late = setTimeout(
      () => command.kill(reason('too_slow', { seconds: settings.appsBuildSeconds })),
      Math.max(0, deadline - performance.now()),
    );
    const abort = () => command.kill(reason('stopped'));
    signal.addEventListener('abort', abort, { once: true });
    watchFolder(command, release(order), 'release_exceeds');
    watchFolder(command, cache, 'home_exceeds');
    const end = await command.ended;
    running.delete(command);
    endStrays([source(order), cache]);
    clearTimeout(late);
    signal.removeEventListener('abort', abort);
    signal.throwIfAborted();
    if (!end.succeeded) {
      throw new RuntimeFailure(reason('command_failed', { command: step.command, how: end.how }));
    }
  };

  /** At half its limit already: the next build must find room, and is watched. */
  const emptyWhenLarge = async ({ applicationId, journal, signal }: BuildOrder): Promise<void> => {
    const cache = join(place(applicationId), 'cache');
    const excess = await excessOf([cache], settings.appsDiskMb / 2, signal);
    if (!excess || signal.aborted) return;
    await trash.discard(cache);
    journal.write(messages.cacheCleared(say(excess.how, 'en')));
  };

  return {
    isolation: isolation.description,

    claim() {
      try {
        lock ??= lockFolder(base);
        return true;
      } catch {
        return false;
      }
    },

    async recover() {
      lock ??= lockFolder(base);
      await wardens.groups?.sweep();
      for (const deadline = Date.now() + RECOVERY_MS; Date.now() < deadline; ) {
        const left = processesMarked(`${base}/`);
        if (left.length === 0) break;
        const table = readProcesses();
        for (const { pid } of left.flatMap((root) => table.treeOf(root))) signalProcess(pid, 'SIGKILL');
        await sleep(20);
      }
      await trash.sweep();
    },

    async workspace(name) {
      refuseUnsafe();
      await trash.discard(release(name));
      await mkdir(releases(name.applicationId), { recursive: true, mode: 0o700 });
      // Not made when the name could not be freed: what lies there would become a part of the site.
      await mkdir(release(name), { mode: 0o700 });
      await mkdir(source(name), { mode: 0o700 });
      return source(name);
    },

    async build(order) {
      const deadline = performance.now() + settings.appsBuildSeconds * 1_000;
      if (order.plan.steps.length > 0 || order.plan.kind === 'server') await give(source(order));
      try {
        for (const step of order.plan.steps) {
          await order.journal.step(step.name, () => runStep(order, step, deadline));
        }
        const excess = await excessOf([release(order)], settings.appsDiskMb, order.signal);
        order.signal.throwIfAborted();
        if (excess) throw new RuntimeFailure(reason('build_exceeds', { how: excess.how }));
      } finally {
        await emptyWhenLarge(order);
      }
      if (order.plan.kind === 'server') {
        return { kind: 'server', command: order.plan.start, below: order.root };
      }
      const root = await folderInside(source(order), order.root);
      const { files } = await readSource(root);
      const chosen = folderWithIndex(order.plan.folders, (path) => files.has(path));
      if (chosen === undefined) {
        const folders = order.plan.folders.filter((below) => below !== '').join(', ');
        throw new RuntimeFailure(reason('no_index', { folders }));
      }
      const folder = await folderInside(root, chosen);
      await openUp(folder, order.signal);
      await refuseLinksOutside(folder, order.signal);
      await rename(folder, site(order));
      await trash.discard(source(order));
      return { kind: 'static' };
    },

    async start(order) {
      if (order.artifact.kind === 'static') return staticInstance(site(order));
      refuseUnsafe();
      const port = await freePort(ports);
      const ownHome = await home(order.applicationId, 'home');
      // Of a release from before the server had another account for it.
      await give(source(order));
      const confined: Confined = {
        command: order.artifact.command ?? '',
        folder: source(order),
        below: order.artifact.below ?? '',
        writable: false,
        home: ownHome,
        variables: { ...namesOf(order.facts), ...order.variables },
        port,
        mostFileBytes: settings.appsDiskMb * MEBIBYTE,
      };
      closing.signal.throwIfAborted();
      const limits = { memoryMb: settings.appsMemoryMb, processes: MOST_SITE_PROCESSES };
      const command = startCommand(wardens, isolation.confine(confined), limits, order.output, ownDepth);
      running.add(command);
      watchFolder(command, ownHome, 'home_exceeds');
      const ended = command.ended.then(({ how }) => {
        running.delete(command);
        ports.delete(port);
        endStrays([source(order), ownHome]);
        return how;
      });
      return {
        target: { kind: 'server', origin: `http://${HOST}:${port}` },
        ended,
        stop: (graceMs) => command.stop(graceMs),
      };
    },

    async has(name, artifact) {
      return existsSync(artifact.kind === 'static' ? site(name) : source(name));
    },

    async keepOnly(applicationId, kept) {
      await removeOthers(trash, releases(applicationId), kept);
    },

    async forget(applicationId) {
      await trash.discard(place(applicationId));
    },

    async applications() {
      return (await readdir(base).catch(() => [])).filter((name) => name.length === UUID_LENGTH);
    },

    async close() {
      closing.abort();
      const ends = [...running].map(({ ended }) => ended);
      killAll();
      await Promise.all([trash.close(), ...ends]);
      process.off('exit', killAll);
      lock?.release();
    },
  };
}

function staticInstance(folder: string): Instance {
  return { target: { kind: 'static', folder }, ended: new Promise(() => {}), stop: async () => {} };
}

/** By the names that frameworks know, and our own. An application's own variables go before them. */
function namesOf({ address, commit, deploymentId }: Facts): Variables {
  return {
    NODE_ENV: 'production',
    ORIGIN: address,
    SIMCHA_URL: address,
    SIMCHA_COMMIT: commit,
    SIMCHA_DEPLOYMENT: deploymentId,
  };
}

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * For package managers, by the environment: nothing of ours is ever written where a build may have put a link or a
 * pipe. Many machines have certificates of their own; node knows them only when it is told.
 */
function packageSettings({ npmrc }: Isolation): Variables {
  return {
    npm_config_globalconfig: npmrc,
    ...(existsSync(CERTIFICATES) && { NODE_EXTRA_CA_CERTS: CERTIFICATES }),
  };
}

const UUID_LENGTH = 36;

/** Only folders named by a UUID are releases or applications; what else stands there is ours. */
async function removeOthers(trash: Trash, folder: string, kept: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const others = names.filter((name) => name.length === UUID_LENGTH && !kept.has(name));
  for (const name of others) await trash.discard(join(folder, name));
}

/** A port nobody listens on. Two instances never get the same one, even before the first of them listens. */
async function freePort(taken: Set<number>): Promise<number> {
  for (;;) {
    const probe = createServer().listen(0, HOST);
    await new Promise((resolve, reject) => probe.once('listening', resolve).once('error', reject));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    if (taken.has(port)) continue;
    taken.add(port);
    return port;
  }
}
