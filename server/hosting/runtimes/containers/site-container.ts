import { posix } from 'node:path';
import type { ContainerOrder } from '../../engine/container-calls.ts';
import { scriptCommand } from '../../engine/container-commands.ts';
import type { Engine } from '../../engine/engine.ts';
import { EngineError } from '../../engine/errors.ts';
import type { Networks } from '../../engine/networks.ts';
import { containerLimits, keyLabels, ownImageLimits } from '../../engine/site-containers.ts';
import { placeFolders, volumeThroughLink } from '../../engine/volume-folders.ts';
import { type ContainerTerms, firstProcess, NO_HEALTHCHECK, termsOf } from '../container-order.ts';
import type { Order, StartOrder } from '../runtime.ts';

/**
 * Pattern for the engine's error about a path that is not a folder. With `a `, a parent of the path is not a folder;
 * without it, the path itself.
 */
const NO_FOLDER = /not (a )?directory/i;

export interface SiteContainerParts {
  engine: Engine;
  platform: () => string;
  networks: Networks;
}

/**
 * Creates and starts the container of an instance. An existing container stays as it is, and is started if it was not
 * started yet.
 */
export async function startSiteContainer(
  parts: SiteContainerParts,
  name: string,
  order: Order & Partial<StartOrder>,
  signal: AbortSignal,
): Promise<void> {
  const { engine, platform, networks } = parts;
  // A container that is created or started while its engine is being stopped comes back broken, or not at all.
  await engine.greet(signal);
  const { labels } = order;
  const terms = termsOf(platform(), order);
  const { folders, isOwnImage } = terms;
  for (const { source, labels } of terms.mounts) await engine.createVolume(source, labels, signal);
  const owner = keyLabels(platform(), labels);
  const network = await networks.ensure(`simcha-${labels.environmentId}`, owner, signal);
  const spec = containerSpec(order, terms, network, await firstProcess());
  await engine.create(name, spec, signal).catch((error) => ignoreUnlessRefused(error, folders));
  if (folders.length > 0) await placeFolders(engine, name, { folders, isOwnImage }, signal);
  await engine.start(name, signal);
}

function containerSpec(
  { limits }: Order,
  { image, isOwnImage, command, env, user, folder, found, mounts }: ContainerTerms,
  network: string,
  firstProcessScript: string,
): ContainerOrder {
  return {
    Image: image,
    ...(command !== undefined && {
      Entrypoint: scriptCommand(firstProcessScript, [command]),
      Cmd: [],
      StopSignal: 'SIGTERM',
    }),
    Env: env,
    ...(user !== undefined && { User: user }),
    ...(folder !== undefined && { WorkingDir: folder }),
    Labels: found,
    Healthcheck: NO_HEALTHCHECK,
    HostConfig: {
      ...(isOwnImage ? ownImageLimits(limits) : containerLimits(limits)),
      NetworkMode: network,
      Mounts: mounts.map(({ source, target }) => ({ Type: 'volume', Source: source, Target: target })),
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '2' } },
      RestartPolicy: { Name: 'no' },
      Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
    },
  };
}

/**
 * Ignores the error that a container already exists. Throws a RuntimeFailure if the error says that a file is in the
 * place of a volume's folder; any other error is thrown again.
 */
function ignoreUnlessRefused(error: unknown, folders: readonly string[]): void {
  if (!(error instanceof EngineError)) throw error;
  if (error.status === 409) return;
  const noFolder = NO_FOLDER.exec(error.message);
  const volume = noFolder && folders.find((one) => error.message.includes(one));
  if (!volume) throw error;
  throw volumeThroughLink(volume, noFolder[1] ? posix.dirname(volume) : volume);
}
