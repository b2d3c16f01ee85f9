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

// What an order comes to in a container, wherever that is: what starts one, and what finds it again.

const FIRST_PROCESS = new URL('first-process.sh', import.meta.url);

/** Where a site is told to listen that says nothing of it. */
const PORT = 8_080;

/** All that is known of a container as one, as a label. */
export interface About {
  labels: Labels;
  /** Its image is by a Dockerfile of the source's: it may be root in there, and nothing in it is as we know it. */
  isOwnImage?: boolean;
  memoryMb: number;
  diskMb: number;
  /** Where it listens, if it does. */
  port?: number;
}

export interface ContainerTerms {
  image: string;
  /** The image is by a Dockerfile of the source's, which says what else there is. */
  isOwnImage: boolean;
  /** The command of a shell; undefined: the image's own. */
  command: string | undefined;
  env: string[];
  /** Undefined: as the image says. */
  user: string | undefined;
  folder: string | undefined;
  /** Labels, by which it is found. */
  found: EngineLabels;
  port: number | undefined;
  mounts: readonly { source: string; target: string; labels: EngineLabels }[];
  /** Where volumes are mounted that the image has no folder for. */
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
      // An image of its own brings its variables, which these would replace.
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

/** A script that runs a command, and tells all of a container's processes that they are to end. */
export const firstProcess = (): Promise<string> => readFile(FIRST_PROCESS, 'utf8');

export function aboutOf(labels: EngineLabels): About {
  return JSON.parse(labels[DETAILS] ?? '{}');
}

const NO_SHELL = /exec: "\/bin\/sh"|\/bin\/sh.?(: no such file| not found)/;

/** What an image would have run every now and then: sites are asked at their health path. */
export const NO_HEALTHCHECK = { Test: ['NONE'] };

/** What an engine’s words come to that would not start an image of a source’s own; undefined where they are about something else. */
export function refusalOf({ artifact, command }: Order, said: string): RuntimeFailure | undefined {
  if (artifact.kind !== 'image' || artifact.own === undefined) return undefined;
  if (command !== '' && NO_SHELL.test(said)) return new RuntimeFailure(reason('no_shell', { command }));
  return undefined;
}
