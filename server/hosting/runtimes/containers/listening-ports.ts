import { newId } from '../../../kernel/identifiers.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { ContainerOrder } from '../../engine/container-calls.ts';
import { runInContainer } from '../../engine/container-commands.ts';
import type { Engine } from '../../engine/engine.ts';
import {
  containerLimits,
  discardContainer,
  KIND,
  keyLabels,
  NAME_PREFIX,
  USER,
} from '../../engine/site-containers.ts';
import { listenersIn, portsAmong } from '../../sandbox/processes.ts';
import { aboutOf, NO_HEALTHCHECK } from '../container-order.ts';
import type { Labels } from '../runtime.ts';

const LOOK_MS = 1_000;
/** Time limit and other limits of a helper container that finds the ports on which a site listens. */
const HELPER_MS = 10_000;
const HELPER_MB = 64;
const HELPER_PROCESSES = 10;
const SOCKETS = ['cat', '/proc/net/tcp', '/proc/net/tcp6'];
/** Address 127.0.0.11 as the kernel writes it: the engine's own name server listens there. */
const RESOLVER = '0B00007F';

export interface ListeningParts {
  engine: Engine;
  platform: () => string;
  /** Promise of the name of an image with a shell; resolves once the engine has that image. */
  image: (signal: AbortSignal) => Promise<string>;
  log: Logger;
}

/** TCP ports on which a container listens; undefined if they can't be seen. */
export async function listeningPorts(
  parts: ListeningParts,
  name: string,
): Promise<readonly number[] | undefined> {
  const sockets = await socketsOf(parts, name).catch(() => undefined);
  if (sockets === undefined) return undefined;
  return portsAmong(listenersIn(sockets).filter(({ address }) => address !== RESOLVER));
}

/**
 * Sockets of a container as the kernel lists them. No command is run in an image made by the application's own
 * Dockerfile: the engine would open the image's `/etc/passwd`. If that file is a pipe, the engine's call would block
 * forever, and the container could not end. Checking the file's type before is no help: the engine mounts volumes for
 * that check, and before CVE-2026-42306 was fixed, a site could change a link meanwhile and so choose where they are
 * mounted.
 */
async function socketsOf(parts: ListeningParts, name: string): Promise<string | undefined> {
  const { engine } = parts;
  const found = await engine.inspect(name, AbortSignal.timeout(LOOK_MS));
  if (!found) return undefined;
  const { labels, isOwnImage } = aboutOf(found.Config.Labels);
  if (isOwnImage) return socketsFromBeside(parts, found.Id, labels, AbortSignal.timeout(HELPER_MS));
  return (await runInContainer(engine, name, { Cmd: SOCKETS }, AbortSignal.timeout(LOOK_MS))).output;
}

/** Sockets of a container as seen by a helper container that shares the container's network. */
async function socketsFromBeside(
  { engine, platform, image, log }: ListeningParts,
  id: string,
  labels: Labels,
  signal: AbortSignal,
): Promise<string> {
  const name = `${NAME_PREFIX}helper-${newId()}`;
  try {
    const order: ContainerOrder = {
      Image: await image(signal),
      Entrypoint: SOCKETS,
      Cmd: [],
      User: USER,
      Labels: { ...keyLabels(platform(), labels), [KIND]: 'helper' },
      Healthcheck: NO_HEALTHCHECK,
      HostConfig: {
        ...containerLimits({ memoryMb: HELPER_MB, processes: HELPER_PROCESSES }),
        NetworkMode: `container:${id}`,
        LogConfig: { Type: 'json-file', Config: {} },
      },
    };
    await engine.create(name, order, signal);
    await engine.start(name, signal);
    await engine.wait(name, signal);
    let output = '';
    for await (const lines of engine.pastLogs(name, undefined, signal))
      output += lines.map(({ line }) => `${line}\n`).join('');
    return output;
  } finally {
    await discardContainer(engine, name, log);
  }
}
