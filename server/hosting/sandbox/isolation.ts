import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { ConfigError } from '../../kernel/config.ts';
import { isFullDisk } from '../../kernel/full-disk.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { missingPackages, openBubblewrap } from './bubblewrap.ts';
import type { Invocation, Isolation, IsolationSettings } from './confined.ts';
import { chownTree, removeTree } from './disk.ts';
import { hasRoom } from './free-space.ts';
import { messages } from './messages.ts';
import { createNetworkPool, type PooledNetwork } from './network-pool.ts';
import { makeOverlay } from './overlay.ts';
import { openPlain } from './plain.ts';
import { filterIn } from './system-calls.ts';
import { liesInSystem, ownFolders } from './system-folders.ts';
import { findTools, type Tools } from './tools.ts';

/**
 * A sandbox where it works, else plain processes. `folder` is one of ours; `grouped`: whether control groups count what
 * commands take.
 * Throws a ConfigError when a sandbox is asked for and does not work.
 */
export async function chooseIsolation(
  settings: IsolationSettings,
  folder: string,
  grouped: boolean,
): Promise<Isolation> {
  const tools = findTools();
  if (settings.appsIsolation === 'none') return choosePlain(tools, settings, folder, messages.notWanted);
  const missing = missingPackages();
  const sandbox =
    missing.length > 0
      ? { fails: messages.missing(missing) }
      : await workingSandbox(tools, settings, folder, grouped);
  if (!('fails' in sandbox)) return sandbox;
  const failure = missing.length > 0 ? sandbox.fails : messages.sandboxFails(sandbox.fails);
  if (settings.appsIsolation === 'sandbox') throw new ConfigError(messages.noSandbox(failure));
  const plain = await choosePlain(tools, settings, folder, failure);
  if (settings.hasNoStrangers || isLoopback(settings.host)) return plain;
  const command = `apt-get install ${missing.join(' ')}`;
  return {
    ...plain,
    description: messages.refusing(settings.host, failure),
    refusal:
      missing.length > 0
        ? reason('sandbox_missing', { command })
        : reason('sandbox_fails', { error: failure }),
  };
}

/** Throws a ConfigError where the platform's own folders can't be hidden in it. */
async function workingSandbox(
  tools: Tools,
  settings: IsolationSettings,
  folder: string,
  grouped: boolean,
): Promise<Isolation | { fails: string }> {
  const own = ownFolders(settings.dataDir);
  const liesWithin = liesInSystem(own);
  const tryWith = (hidden: typeof own) => {
    const filterFile = filterIn(folder, grouped);
    return working(openBubblewrap(tools, settings, { filterFile, own: hidden }), folder, messages.readOnly);
  };
  const sandbox = await tryWith(own);
  // Programs may need what would be hidden with ours.
  if ('fails' in sandbox && liesWithin && !('fails' in (await tryWith([])))) {
    throw new ConfigError(messages.hidesSystem(own.map(({ path }) => path)));
  }
  return sandbox;
}

/** Whether only this machine's own users can reach a server that listens there. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

const TRY_OUT_MS = 10_000;

/** Under an account that is not the server's where the server may choose one and that works. */
async function choosePlain(
  tools: Tools,
  { appsUid }: IsolationSettings,
  folder: string,
  why: string,
): Promise<Isolation> {
  const ours = async (why: string) => {
    const plain = await openPlain(tools, { account: undefined, folder, why });
    return { ...plain, description: messages.intoRelease(plain.description) };
  };
  if (process.getuid?.() !== 0) return ours(why);
  const plain = await openPlain(tools, { account: appsUid, folder, why });
  const tried = await working(plain, folder, messages.intoRelease);
  return 'fails' in tried ? ours(messages.noAccount(why, appsUid, tried.fails)) : tried;
}

/**
 * As it works here, with layers or without, which its description then tells as `without` says; or why it does not. A trial
 * without room on the disk says nothing about the machine: the isolation then counts as working.
 */
async function working(
  isolation: Isolation,
  folder: string,
  without: (description: string, failure: string) => string,
): Promise<Isolation | { fails: string }> {
  const untried = { ...isolation, warnings: [...isolation.warnings, messages.untried] };
  const failure = await tryOut(isolation, folder);
  if (!failure) return isolation;
  if (failure === NO_ROOM) return untried;
  const simpler = { ...isolation, layers: false, description: without(isolation.description, failure) };
  const fails = await tryOut(simpler, folder);
  if (fails === NO_ROOM) return untried;
  return fails ? { fails } : simpler;
}

/** What not every file system can do that a layer is on, or lies over. */
const TRY_LAYER = 'echo >> file && rm -r old && mkdir old && mv file old && test "$(ls old)" = file';

const NO_ROOM = Symbol('no room for a trial');

/** Why it does not work here, in the words of whoever says so; undefined when it does. */
async function tryOut(isolation: Isolation, folder: string): Promise<string | typeof NO_ROOM | undefined> {
  try {
    const trial = await mkdtemp(join(folder, 'trial-'));
    try {
      const failure = await tryIn(trial, isolation);
      // Programs have other words for a full disk, such as "I/O error".
      return failure === undefined || (await hasRoom(trial)) ? failure : NO_ROOM;
    } finally {
      await removeTree(trial);
    }
  } catch (error) {
    if (isFullDisk(error)) return NO_ROOM;
    throw error;
  }
}

async function tryIn(trial: string, isolation: Isolation): Promise<string | undefined> {
  const grounds = createNetworkPool({ isolation, home: trial });
  try {
    const app = join(trial, 'app');
    await mkdir(join(app, 'old'), { recursive: true });
    for (const file of ['file', 'old/file']) await writeFile(join(app, file), '');
    const home = join(trial, 'home');
    await mkdir(home);
    const { account, layers } = isolation;
    if (account !== undefined) for (const one of [app, home]) await chownTree(one, account);
    const ground = await grounds.open({});
    return await failureOf(
      ground,
      isolation.confine({
        command: layers ? `node --version && ${TRY_LAYER}` : 'node --version',
        folder: app,
        below: '',
        writable: false,
        layer: layers ? await makeOverlay(join(trial, 'layer'), account) : undefined,
        home,
        variables: {},
        joins: ground.network?.joins,
        mostFileBytes: 2 ** 20,
      }),
    );
  } catch (error) {
    if (error instanceof RuntimeFailure) return error.message;
    throw error;
  } finally {
    await grounds.close();
  }
}

function failureOf(
  { threshold: { child, become } }: PooledNetwork,
  invocation: Invocation,
): Promise<string | undefined> {
  const said: Buffer[] = [];
  child.stdout?.resume();
  child.stderr?.on('data', (chunk) => said.push(chunk));
  const late = setTimeout(() => child.kill('SIGKILL'), TRY_OUT_MS);
  become(invocation);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => {
      clearTimeout(late);
      const reason = Buffer.concat(said).toString().trim().split('\n')[0] || String(signal ?? code);
      resolve(code === 0 ? undefined : reason);
    });
  });
}
