import { connect } from '../../server/hosting/engine/connection.ts';
import { createEngine, type Engine } from '../../server/hosting/engine/engine.ts';
import { registryOf } from '../../server/hosting/engine/registry.ts';
import { createSwarm } from '../../server/hosting/engine/swarm.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { makeNodeImage, makePythonImage } from './engine.ts';

const NEVER = new AbortController().signal;

interface Cluster {
  nodes: readonly { socket: string }[];
  registry: { address: string; user: string; password: string };
}

/** The settings of a server whose sites run in a cluster, whose registry has images for sites of Node.js and Python. */
export async function clusterSettings({ nodes, registry }: Cluster): Promise<Record<string, string>> {
  const { address, user, password } = registry;
  const socket = nodes[0]?.socket ?? '';
  const settings = {
    ...{ APPS_RUNTIME: 'swarm', APPS_ENGINE: socket },
    APPS_REGISTRY: `http://${user}:${password}@${address}/sites`,
    ...{ APPS_IMAGE_NODE: `${address}/node:test`, APPS_IMAGE_PYTHON: `${address}/python:test` },
  };
  const { appsRegistry } = readConfig(settings);
  const headers = appsRegistry ? registryOf(appsRegistry).headers : {};
  const engine = createEngine(await connect(socket, NEVER));
  await makeNodeImage(engine, settings.APPS_IMAGE_NODE);
  await makePythonImage(engine, settings.APPS_IMAGE_PYTHON, settings.APPS_IMAGE_NODE);
  for (const image of [settings.APPS_IMAGE_NODE, settings.APPS_IMAGE_PYTHON])
    await engine.push(image, headers, NEVER);
  engine.close();
  return settings;
}

/** Services of applications, and what closes machines for whose they are, would go on to the cluster’s end. */
export async function clearServices(socket: string, applications: readonly string[]): Promise<void> {
  const connection = await connect(socket, NEVER);
  const swarm = createSwarm(connection, {});
  const engine: Engine = createEngine(connection);
  try {
    const platforms = new Set<string>();
    for (const id of applications) {
      const labels = { 'simcha.application': id };
      for (const { Spec } of await swarm.services(labels, NEVER)) await swarm.removeService(Spec.Name, NEVER);
      for (const { Labels } of await engine.networks(labels, NEVER))
        platforms.add(Labels['simcha.platform'] ?? '');
    }
    for (const platform of platforms) {
      const fences = { 'simcha.platform': platform, 'simcha.kind': 'fence' };
      for (const { Spec } of await swarm.services(fences, NEVER)) await swarm.removeService(Spec.Name, NEVER);
    }
  } finally {
    connection.close();
  }
}
