import { connectToEngine } from '../../server/hosting/engine/connection.ts';
import { createEngine, type Engine } from '../../server/hosting/engine/engine.ts';
import { registryOf } from '../../server/hosting/engine/registry.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { makeNodeImage } from './node-image.ts';

const NEVER = new AbortController().signal;

/** Engines (the first is a manager's) and the registry of a cluster. */
export interface Managed {
  nodes: readonly { socket: string }[];
  registry: { address: string; user: string; password: string };
}

/** Settings of a server whose sites run in a cluster; pushes an image for Node.js sites to its registry. */
export async function clusterSettings({ nodes, registry }: Managed) {
  const { address, user, password } = registry;
  const settings = {
    APPS_RUNTIME: 'swarm',
    APPS_ENGINE: nodes[0]?.socket ?? '',
    APPS_REGISTRY: `http://${user}:${password}@${address}/sites`,
    APPS_IMAGE_NODE: `${address}/node:own`,
    APPS_DOCKERFILES: 'on',
  };
  await pushImage(settings, settings.APPS_IMAGE_NODE, makeNodeImage);
  return settings;
}

/** Builds an image and pushes it to the registry of the cluster. */
export async function pushImage(
  settings: Readonly<Record<string, string>>,
  tag: string,
  make: (engine: Engine, tag: string) => Promise<void>,
): Promise<void> {
  const engine = createEngine(await connectToEngine(readConfig(settings).appsEngine, NEVER));
  try {
    await make(engine, tag);
    await engine.push(tag, registryHeaders(settings), NEVER);
  } finally {
    engine.close();
  }
}

/** Headers with which an engine pulls from and pushes to the registry that the settings name. */
export function registryHeaders(
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { appsRegistry } = readConfig(settings);
  return appsRegistry ? registryOf(appsRegistry).headers : {};
}
