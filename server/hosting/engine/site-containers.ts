import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import type { EnvironmentKey } from '../model/site-folders.ts';
import type { Owner } from './archives.ts';
import { EngineAway } from './connection.ts';
import type { ContainerOrder, Engine, Labels, Listed } from './engine.ts';

// How an engine's containers are found again, and where things are in them: what makes their images and what starts them agree on it.

/** Whom processes of sites and builds run as, and their files belong to. */
export const SITE_USER: Owner = { uid: 1_000, gid: 1_000 };
export const USER = `${SITE_USER.uid}:${SITE_USER.gid}`;
/** Where a release is, and the home of whatever runs of it. */
export const APP = '/app';
export const HOME = '/home/site';

/** Labels of all containers, images, networks and volumes of one platform. */
export const PLATFORM = 'simcha.platform';
export const APPLICATION = 'simcha.application';
export const ENVIRONMENT = 'simcha.environment';
/** `site`, `task` or `build`; `hand`, which looks into a volume, and `fence` (fence.ts). */
export const KIND = 'simcha.kind';
/** Of all that a build by a Dockerfile made on its way: whose it is. */
export const STAGE = 'simcha.stage';
export const INSTANCE = 'simcha.instance';
/** All that is known of it as one, for whoever reads it again. */
export const ABOUT = 'simcha.about';
/** Of a volume, its content's name. */
export const VOLUME = 'simcha.volume';

/** Labels of all that is an environment's. */
export function keyLabels(platform: string, { applicationId, environmentId }: EnvironmentKey): Labels {
  return { [PLATFORM]: platform, [APPLICATION]: applicationId, [ENVIRONMENT]: environmentId };
}

/** Whose something with such labels is; none where it is no environment's. */
export function keysIn({ Labels }: { Labels: Labels }): EnvironmentKey[] {
  const { [APPLICATION]: applicationId, [ENVIRONMENT]: environmentId } = Labels;
  return applicationId && environmentId ? [{ applicationId, environmentId }] : [];
}

/** What the engine calls a volume of an environment’s. */
export function volumeOf({ environmentId }: EnvironmentKey, volume: string): string {
  return `simcha-${environmentId}-${volume}`;
}

const NEVER = new AbortController().signal;
const MEBIBYTE = 2 ** 20;
/** Nothing of it stays with a release. */
export const TMP_BYTES = 256 * MEBIBYTE;

/** As of commands on this machine (walls/spawning.ts). */
export const OOM_SCORE = 500;
const PERIOD_US = 100_000;

/** What no process of a stranger has: more of the machine than this, nor any right but its user's. */
export function confinedTo({
  memoryMb,
  processes,
  cpus,
}: {
  memoryMb: number;
  processes: number;
  cpus?: number | undefined;
}): Partial<ContainerOrder['HostConfig']> {
  const memory = memoryMb * MEBIBYTE;
  return {
    Memory: memory,
    MemorySwap: memory,
    PidsLimit: processes,
    OomScoreAdj: OOM_SCORE,
    // Not NanoCpus, which an engine refuses that has fewer processors.
    ...(cpus !== undefined && { CpuPeriod: PERIOD_US, CpuQuota: Math.round(cpus * PERIOD_US) }),
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    Tmpfs: { '/tmp': `size=${TMP_BYTES},mode=1777` },
  };
}

/** What root of a container of its own gives up its rights by, and binds, owns and signals with: no more than that. */
export const ROOTS_OWN = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'];

/** The same where the image says who it runs as: many begin as root, and run what they are for as somebody else. */
export function confinedWithRoot(
  limits: Parameters<typeof confinedTo>[0],
): Partial<ContainerOrder['HostConfig']> {
  return { ...confinedTo(limits), CapAdd: ROOTS_OWN };
}

export function environmentOf(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

/** What the names of all containers of ours begin with: who builds by a Dockerfile gives labels as they like, but no names. */
export const OURS = 'simcha-';

export function isOurs({ Names }: Pick<Listed, 'Names'>): boolean {
  return Names.some((name) => name.replace(/^\//, '').startsWith(OURS));
}

/** What a cluster started of a service on its engine's machine: its number and its task follow the service's name. */
function isTask({ Names }: Pick<Listed, 'Names'>): boolean {
  return Names.some((name) => name.includes('.'));
}

/** Those of our containers with these labels, but for a cluster's: those are at other addresses, and started again by whom they are of. */
export async function ownContainers(engine: Engine, labels: Labels, signal: AbortSignal): Promise<Listed[]> {
  const all = await engine.containers(labels, signal);
  return all.filter((one) => isOurs(one) && !isTask(one));
}

/** Ends what an earlier life of a server was doing, such as a `build`, and nobody waits for any more. */
export async function removeAbandoned(
  engine: Engine,
  labels: Labels,
  kinds: readonly string[],
  log: Logger,
): Promise<void> {
  for (const kind of kinds) {
    const found = await ownContainers(engine, { ...labels, [KIND]: kind }, NEVER);
    await Promise.all(found.map(({ Id }) => discard(engine, Id, log)));
  }
}

/**
 * Removes a container that nobody needs; where its engine is away, once it is back. Rejects for nothing, nor does it wait for one that
 * the engine can't end.
 */
export async function discard(engine: Pick<Engine, 'remove'>, name: string, log: Logger): Promise<void> {
  /** Whether that is over, one way or the other. */
  const isDone = async (): Promise<boolean> => {
    try {
      await engine.remove(name, NEVER);
      return true;
    } catch (error) {
      if (error instanceof EngineAway) return false;
      log.warn({ err: error }, 'a container could not be removed');
      return true;
    }
  };
  const atLast = async () => {
    for (let turn = 0; turn < MOST_TURNS && !(await isDone()); turn += 1)
      await sleep(AGAIN_MS, undefined, { ref: false });
  };
  const done = isDone();
  const isEnough = await Promise.race([done, sleep(PATIENCE_MS, false, { ref: false })]);
  if (!isEnough) void done.then((is) => (is ? undefined : atLast()));
}

const PATIENCE_MS = 10_000;
const AGAIN_MS = 5_000;
/** For an hour: then it goes as a server starts. */
const MOST_TURNS = 720;

/** Removes volumes and networks with these labels, which nothing uses any more. */
export async function removeRetained(engine: Engine, labels: Labels, signal: AbortSignal): Promise<void> {
  for (const { Name } of await engine.volumes(labels, signal)) await engine.removeVolume(Name, signal);
  for (const { Id } of await engine.networks(labels, signal)) await engine.removeNetwork(Id, signal);
}
