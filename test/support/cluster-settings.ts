import { type Managed, clusterSettings as nodeSettings, pushImage } from '../../commands/cluster/settings.ts';
import { connectToEngine } from '../../server/hosting/engine/connection.ts';
import { createEngine, type Engine } from '../../server/hosting/engine/engine.ts';
import type { Labels } from '../../server/hosting/engine/labels.ts';
import { createSwarm, type Swarm } from '../../server/hosting/engine/swarm/swarm.ts';
import { makePythonImage, platformsOf } from './engine.ts';

const NEVER = new AbortController().signal;

const known = new WeakMap<Managed, Promise<Record<string, string>>>();

/** Settings of a server whose sites run in a cluster, with images for Node.js and Python in its registry. */
export function clusterSettings(cluster: Managed): Promise<Record<string, string>> {
  const settings = known.get(cluster) ?? fill(cluster);
  known.set(cluster, settings);
  return settings;
}

async function fill(cluster: Managed): Promise<Record<string, string>> {
  const settings = await nodeSettings(cluster);
  const python = `${cluster.registry.address}/python:own`;
  await pushImage(settings, python, (engine, tag) => makePythonImage(engine, tag, settings.APPS_IMAGE_NODE));
  return { ...settings, APPS_IMAGE_PYTHON: python };
}

/**
 * Removes the Docker Swarm services of applications, and those of the network firewalls of their platforms (Simcha
 * installations). They would otherwise run until the cluster ends.
 */
export async function clearServices(socket: string, applications: readonly string[]): Promise<void> {
  const connection = await connectToEngine(socket, NEVER);
  const swarm = createSwarm(connection, {});
  const engine: Engine = createEngine(connection);
  try {
    const platforms = await platformsOf(engine, applications);
    for (const id of applications) await removeServices(swarm, { 'simcha.application': id });
    for (const platform of platforms)
      await removeServices(swarm, { 'simcha.platform': platform, 'simcha.kind': 'firewall' });
  } finally {
    connection.close();
  }
}

export async function removeServices(swarm: Swarm, labels: Labels): Promise<void> {
  for (const { Spec } of await swarm.services(labels, NEVER)) await swarm.removeService(Spec.Name, NEVER);
}
