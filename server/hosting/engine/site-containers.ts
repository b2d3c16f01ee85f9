import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import type { EnvironmentKey } from '../model/site-folders.ts';
import type { FileOwner } from './archives.ts';
import type { ContainerOrder, ListedContainer } from './container-calls.ts';
import type { Engine } from './engine.ts';
import { EngineAway } from './errors.ts';
import type { Labels } from './labels.ts';

// Names, labels and paths of containers, shared by the code that makes images and the code that starts containers from
// them.

/** User of all processes and files of sites and builds. */
export const SITE_USER: FileOwner = { uid: 1_000, gid: 1_000 };
export const USER = `${SITE_USER.uid}:${SITE_USER.gid}`;
/** Paths inside a container: the folder of the release, and the home folder of its processes. */
export const APP = '/app';
export const HOME = '/home/site';

/** Label of all containers, images, networks and volumes of one platform. */
export const PLATFORM = 'simcha.platform';
export const APPLICATION = 'simcha.application';
export const ENVIRONMENT = 'simcha.environment';
/**
 * Label with the kind of a container: `site`, `task`, `build`, `firewall` (firewall.ts) or `helper`, which the platform
 * runs for itself, for example to read a volume.
 */
export const KIND = 'simcha.kind';
/** Label of all intermediate images of a Dockerfile build, which names the application. */
export const STAGE = 'simcha.stage';
export const INSTANCE = 'simcha.instance';
/** Label with all details of a container in one value, from which the server reads them after it was restarted. */
export const DETAILS = 'simcha.about';
/** Label of a volume in the engine, with the name that the platform has for the volume's content. */
export const VOLUME = 'simcha.volume';

/** Labels of every engine object that belongs to an environment. */
export function keyLabels(platform: string, { applicationId, environmentId }: EnvironmentKey): Labels {
  return { [PLATFORM]: platform, [APPLICATION]: applicationId, [ENVIRONMENT]: environmentId };
}

/** Environment to which an engine's object belongs, as its labels say; empty if it belongs to none. */
export function environmentKeysIn({ Labels }: { Labels: Labels }): EnvironmentKey[] {
  const { [APPLICATION]: applicationId, [ENVIRONMENT]: environmentId } = Labels;
  return applicationId && environmentId ? [{ applicationId, environmentId }] : [];
}

/** Name of an environment’s volume in the engine. */
export function volumeName({ environmentId }: EnvironmentKey, volume: string): string {
  return `simcha-${environmentId}-${volume}`;
}

const NEVER = new AbortController().signal;
const MEBIBYTE = 2 ** 20;
/** Size of a container's /tmp, which is in memory, so that nothing of it stays with a release. */
export const TMP_BYTES = 256 * MEBIBYTE;

/**
 * OOM score of containers' processes (the kernel first ends processes with a high score when memory runs out); commands
 * in the sandbox have the same score (sandbox/spawning.ts).
 */
export const OOM_SCORE = 500;
const PERIOD_US = 100_000;

/** Limits of a container with untrusted programs: resources, and no rights beyond those of its user. */
export function containerLimits({
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
    // NanoCpus is not used: an engine with fewer processors refuses it.
    ...(cpus !== undefined && { CpuPeriod: PERIOD_US, CpuQuota: Math.round(cpus * PERIOD_US) }),
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    Tmpfs: { '/tmp': `size=${TMP_BYTES},mode=1777` },
  };
}

/**
 * Capabilities that root has in a site's own image: to drop privileges, bind ports, change owners and send signals, and
 * no more.
 */
export const ROOT_CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'KILL',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETUID',
];

/** Limits of a container whose image chooses its user: many begin as root and run their programs as another user. */
export function ownImageLimits(
  limits: Parameters<typeof containerLimits>[0],
): Partial<ContainerOrder['HostConfig']> {
  return { ...containerLimits(limits), CapAdd: ROOT_CAPABILITIES };
}

export function environmentList(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

/** Prefix of the names of all this platform's containers. A Dockerfile build can set labels, but no names. */
export const NAME_PREFIX = 'simcha-';

export function hasOwnName({ Names }: Pick<ListedContainer, 'Names'>): boolean {
  return Names.some((name) => name.replace(/^\//, '').startsWith(NAME_PREFIX));
}

/**
 * True if a container runs a task of a cluster's service: its name is the service's name, a dot, and the number and id
 * of the task.
 */
function isTask({ Names }: Pick<ListedContainer, 'Names'>): boolean {
  return Names.some((name) => name.includes('.'));
}

/**
 * Containers of this platform with these labels, without tasks of a cluster, which have other addresses and are
 * restarted by their services.
 */
export async function ownContainers(
  engine: Engine,
  labels: Labels,
  signal: AbortSignal,
): Promise<ListedContainer[]> {
  const all = await engine.containers(labels, signal);
  return all.filter((one) => hasOwnName(one) && !isTask(one));
}

/** Removes containers that a previous run of the server has left, such as a `build`. */
export async function removeAbandoned(
  engine: Engine,
  labels: Labels,
  kinds: readonly string[],
  log: Logger,
): Promise<void> {
  for (const kind of kinds) {
    const found = await ownContainers(engine, { ...labels, [KIND]: kind }, NEVER);
    await Promise.all(found.map(({ Id }) => discardContainer(engine, Id, log)));
  }
}

/**
 * Removes a container; if the engine does not answer, the removal is repeated later. Never rejects, and stops waiting
 * for a container that the engine can't end.
 */
export async function discardContainer(
  engine: Pick<Engine, 'remove'>,
  name: string,
  log: Logger,
): Promise<void> {
  /** Tries to remove the container. True if that has succeeded, or has failed for good. */
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
  const retryUntilDone = async () => {
    for (let turn = 0; turn < MOST_ATTEMPTS && !(await isDone()); turn += 1)
      await sleep(RETRY_MS, undefined, { ref: false });
  };
  const done = isDone();
  const isSettled = await Promise.race([done, sleep(PATIENCE_MS, false, { ref: false })]);
  if (!isSettled) void done.then((is) => (is ? undefined : retryUntilDone()));
}

const PATIENCE_MS = 10_000;
const RETRY_MS = 5_000;
/**
 * Number of attempts to remove a container, which take an hour; after that, the container is removed when a server
 * starts.
 */
const MOST_ATTEMPTS = 720;

/** Removes unused volumes and networks with these labels. */
export async function removeRetained(engine: Engine, labels: Labels, signal: AbortSignal): Promise<void> {
  for (const { Name } of await engine.volumes(labels, signal)) await engine.removeVolume(Name, signal);
  for (const { Id } of await engine.networks(labels, signal)) await engine.removeNetwork(Id, signal);
}
