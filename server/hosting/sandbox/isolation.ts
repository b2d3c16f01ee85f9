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
import type { PooledNetwork } from './network-maker.ts';
import { NetworkPool } from './network-pool.ts';
import { makeOverlay } from './overlay.ts';
import { openPlain } from './plain.ts';
import { filterIn } from './system-calls.ts';
import { liesInSystem, ownFolders } from './system-folders.ts';
import { findTools, type Tools } from './tools.ts';

/**
 * Chooses a sandbox if it works, otherwise plain processes. `folder` is a private folder of the server; `grouped`: true
 * if control groups limit commands. Throws a ConfigError if a sandbox is required and does not work.
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
  if (settings.runsNothingUntrusted || isLoopback(settings.host)) return plain;
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

/** Tries out the sandbox. Throws a ConfigError if the platform's own folders can't be hidden from commands in it. */
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
    return findWorking(
      openBubblewrap(tools, settings, { filterFile, own: hidden }),
      folder,
      messages.readOnly,
    );
  };
  const sandbox = await tryWith(own);
  // Programs of the system may need files that would be hidden together with the platform's folders.
  if ('fails' in sandbox && liesWithin && !('fails' in (await tryWith([])))) {
    throw new ConfigError(messages.hidesSystem(own.map(({ path }) => path)));
  }
  return sandbox;
}

/** True if only this machine's own users can reach a server that listens on the host. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

const TRY_OUT_MS = 10_000;

/** Isolation by plain processes: under a separate account if the server may choose one and that works. */
async function choosePlain(
  tools: Tools,
  { appsUid }: IsolationSettings,
  folder: string,
  reasonText: string,
): Promise<Isolation> {
  const asServerUser = async (reasonText: string) => {
    const plain = await openPlain(tools, { account: undefined, folder, why: reasonText });
    return { ...plain, description: messages.intoRelease(plain.description) };
  };
  if (process.getuid?.() !== 0) return asServerUser(reasonText);
  const plain = await openPlain(tools, { account: appsUid, folder, why: reasonText });
  const found = await findWorking(plain, folder, messages.intoRelease);
  return 'fails' in found ? asServerUser(messages.noAccount(reasonText, appsUid, found.fails)) : found;
}

/**
 * Finds the isolation that works on this machine: with overlays, or without them (`without` is then added to its
 * description); or the reason why none works. A trial without a clear result counts as success: commands then fail if
 * the isolation does not work, and never run with less isolation.
 */
async function findWorking(
  isolation: Isolation,
  folder: string,
  without: (description: string, failure: string) => string,
): Promise<Isolation | { fails: string }> {
  const assumedToWork = (reasonText: string) => ({
    ...isolation,
    warnings: [...isolation.warnings, messages.untried(reasonText)],
  });
  const trial = await runTrial(isolation, folder);
  if (trial.outcome === 'works') return isolation;
  if (trial.outcome === 'inconclusive') return assumedToWork(trial.why);
  const simpler = {
    ...isolation,
    hasOverlays: false,
    description: without(isolation.description, trial.why),
  };
  const second = await runTrial(simpler, folder);
  if (second.outcome === 'inconclusive') return assumedToWork(second.why);
  return second.outcome === 'works' ? simpler : { fails: second.why };
}

/**
 * Shell commands that try out an overlay. They change files of the folder below it, which fails if the folder's file
 * system can't be used with overlays.
 */
const TRY_OVERLAY = 'echo >> file && rm -r old && mkdir old && mv file old && test "$(ls old)" = file';

/**
 * Result of trying out an isolation. `inconclusive`: a full disk, a signal or a busy machine ended the trial, so it is
 * unknown whether the isolation works.
 */
type Trial = { outcome: 'works' } | { outcome: 'fails' | 'inconclusive'; why: string };

async function runTrial(isolation: Isolation, folder: string): Promise<Trial> {
  try {
    const trial = await mkdtemp(join(folder, 'trial-'));
    try {
      const result = await tryIn(trial, isolation);
      // Programs report a full disk in different words, such as "I/O error".
      const isFull = result.outcome === 'fails' && !(await hasRoom(trial));
      return isFull ? { outcome: 'inconclusive', why: messages.noRoom } : result;
    } finally {
      await removeTree(trial);
    }
  } catch (error) {
    if (isFullDisk(error)) return { outcome: 'inconclusive', why: messages.noRoom };
    throw error;
  }
}

async function tryIn(trial: string, isolation: Isolation): Promise<Trial> {
  const networkPool = new NetworkPool({ isolation, home: trial });
  try {
    const app = join(trial, 'app');
    await mkdir(join(app, 'old'), { recursive: true });
    for (const file of ['file', 'old/file']) await writeFile(join(app, file), '');
    const home = join(trial, 'home');
    await mkdir(home);
    const { account, hasOverlays } = isolation;
    if (account !== undefined) for (const one of [app, home]) await chownTree(one, account);
    const pooled = await networkPool.open({});
    return await resultOf(
      pooled,
      isolation.confine({
        command: hasOverlays ? `node --version && ${TRY_OVERLAY}` : 'node --version',
        folder: app,
        below: '',
        writable: false,
        layer: hasOverlays ? await makeOverlay(join(trial, 'layer'), account) : undefined,
        home,
        variables: {},
        joins: pooled.network?.joins,
        mostFileBytes: 2 ** 20,
      }),
    );
  } catch (error) {
    if (!(error instanceof RuntimeFailure)) throw error;
    return { outcome: error.reason.code === 'killed' ? 'inconclusive' : 'fails', why: error.message };
  } finally {
    await networkPool.close();
  }
}

/** Exit codes by which shells and sandboxes report that SIGKILL or SIGTERM ended their command: 128 plus the signal. */
const KILLED_CODES: readonly (number | null)[] = [137, 143];

function resultOf(
  { parked: { child, becomeCommand } }: PooledNetwork,
  invocation: Invocation,
): Promise<Trial> {
  const output: Buffer[] = [];
  let isLate = false;
  child.stdout?.resume();
  child.stderr?.on('data', (chunk) => output.push(chunk));
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, TRY_OUT_MS);
  becomeCommand(invocation);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ outcome: 'fails', why: error.message }));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve({ outcome: 'works' });
      if (isLate) return resolve({ outcome: 'inconclusive', why: messages.tooSlow(TRY_OUT_MS / 1000) });
      const reasonText = Buffer.concat(output).toString().trim().split('\n')[0] || String(signal ?? code);
      const isKilled = signal === 'SIGKILL' || signal === 'SIGTERM' || KILLED_CODES.includes(code);
      resolve({ outcome: isKilled ? 'inconclusive' : 'fails', why: reasonText });
    });
  });
}
