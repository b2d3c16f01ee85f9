import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Labels as EngineLabels } from '../engine/labels.ts';
import {
  APP,
  DETAILS,
  environmentList,
  HOME,
  INSTANCE,
  KIND,
  keyLabels,
  USER,
  VOLUME,
  volumeName,
} from '../engine/site-containers.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { withHeapLimit } from '../sandbox/node-heap.ts';
import { programPath } from '../sandbox/shell.ts';
import type { Labels, Order, StartOrder } from './runtime.ts';

// Settings of the container for an instance or command, on one machine or in a cluster: image, variables, mounts, and
// the labels by which it is found again.

const FIRST_PROCESS = new URL('first-process.sh', import.meta.url);

/** Port on which a site in a container should listen, unless the site has a fixed port. */
const PORT = 8_080;

/** Details of a container, stored in one of its labels. */
export interface About {
  labels: Labels;
  /** True if the image comes from the source's Dockerfile: it may run as root, and its content is unknown. */
  isOwnImage?: boolean;
  memoryMb: number;
  diskMb: number;
  /** Port on which the container listens; absent if it does not listen. */
  port?: number;
}

export interface ContainerTerms {
  image: string;
  /** True if the image comes from the source's Dockerfile, which decides everything that is not set here. */
  isOwnImage: boolean;
  /** Shell command of the container; undefined: the image's own command. */
  command: string | undefined;
  env: string[];
  /** User of the container; undefined: the image's own user. */
  user: string | undefined;
  folder: string | undefined;
  /** Labels by which the container is found. */
  found: EngineLabels;
  port: number | undefined;
  mounts: readonly { source: string; target: string; labels: EngineLabels }[];
  /** Paths of volumes in the container at which the image has no folder yet. */
  folders: readonly string[];
}

export function termsOf(platform: string, order: Order & Partial<StartOrder>): ContainerTerms {
  const { instance, labels, artifact, command, variables, limits, mounts, listens } = order;
  if (artifact.kind !== 'image') throw new RuntimeFailure(reason('release_gone'));
  const { below, own, hasHome } = artifact;
  if (command === '' && own?.lacksCommand) throw new RuntimeFailure(reason('no_own_command'));
  const port = listens ? (order.port ?? own?.port ?? PORT) : undefined;
  const about: About = {
    labels,
    ...(own && { isOwnImage: true }),
    memoryMb: limits.memoryMb,
    diskMb: limits.diskMb,
    ...(port !== undefined && { port }),
  };
  const { HOME: _home, PATH: _path, ...told } = variables;
  const its = keyLabels(platform, labels);
  const targetOf = ({ at }: Order['mounts'][number]) => (at === 'home' ? HOME : at);
  return {
    image: artifact.image,
    isOwnImage: own !== undefined,
    command: command === '' ? undefined : command,
    env: environmentList({
      // An image made by the source's own Dockerfile sets its variables itself; the server's defaults would replace
      // these.
      ...(own ? told : withHeapLimit(told, limits.memoryMb)),
      ...(!own && { HOME, PATH: programPath({ command, below }, APP, '/usr/local/sbin') }),
      ...(port !== undefined && { HOST: '0.0.0.0', PORT: String(port) }),
      ...(port !== undefined && !own && { HOSTNAME: '0.0.0.0' }),
    }),
    user: own ? undefined : USER,
    folder: own ? undefined : posix.join(APP, below),
    found: {
      ...its,
      [KIND]: order.listens === undefined ? 'task' : 'site',
      [INSTANCE]: instance,
      [DETAILS]: JSON.stringify(about),
    },
    port,
    mounts: mounts.map((mount) => ({
      source: volumeName(labels, mount.volume),
      target: targetOf(mount),
      labels: { ...its, [VOLUME]: mount.volume },
    })),
    folders: mounts.map(targetOf).filter((target) => !(hasHome && target === HOME)),
  };
}

/** Shell script that runs a command, and passes the signal to end on to all processes of a container. */
export const firstProcess = (): Promise<string> => readFile(FIRST_PROCESS, 'utf8');

export function aboutOf(labels: EngineLabels): About {
  return JSON.parse(labels[DETAILS] ?? '{}');
}

const NO_SHELL = /exec: "\/bin\/sh"|\/bin\/sh.?(: no such file| not found)/;

/** Replacement for an image's health check: sites are checked at their health path. */
export const NO_HEALTHCHECK = { Test: ['NONE'] };

/** Failure for an engine's message that it could not start a source's own image; undefined for other messages. */
export function refusalOf({ artifact, command }: Order, said: string): RuntimeFailure | undefined {
  if (artifact.kind !== 'image' || artifact.own === undefined) return undefined;
  if (command !== '' && NO_SHELL.test(said)) return new RuntimeFailure(reason('no_shell', { command }));
  return undefined;
}
