import assert from 'node:assert/strict';
import { openEngine } from '../../server/hosting/engine/engine.ts';
import { registryOf } from '../../server/hosting/engine/registry.ts';
import { openSwarm } from '../../server/hosting/runtimes/open.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { clusterOfFile, type TestCluster } from '../support/cluster.ts';
import { built } from '../support/containers.ts';
import { makeNodeImage } from '../support/engine.ts';
import { openRuntime, originsOf, SETTINGS, serverSite } from '../support/runtime.ts';

const NEVER = new AbortController().signal;

const registryOfTests = ({ registry: { address, user, password } }: TestCluster) => ({
  ...{ origin: `http://${address}`, prefix: `${address}/sites`, user, password },
});

const { withCluster } = clusterOfFile(async (cluster) => {
  const engine = await openEngine(cluster.nodes[0]?.socket ?? '', NEVER);
  const image = `${cluster.registry.address}/node:test`;
  await makeNodeImage(engine, image);
  await engine.push(image, registryOf(registryOfTests(cluster)).headers, NEVER);
  engine.close();
});

const opened = (cluster: TestCluster, platform = newId(), node = 0) => {
  const appsImages = { ...SETTINGS.appsImages, node: `${cluster.registry.address}/node:test` };
  const settings = {
    ...{ appsRuntime: 'swarm' as const, appsEngine: cluster.nodes[node]?.socket ?? '' },
    ...{ appsImages, appsRegistry: registryOfTests(cluster) },
  };
  return openRuntime(settings, undefined, openSwarm, platform);
};

withCluster('a release runs on all machines, each replica answering at its own', async (cluster) => {
  await using at = await opened(cluster);
  const order = { ...(await built(at, serverSite(`require('os').hostname()`))), replicas: 3 };
  const started = await at.runtime.start(order);
  const origins = originsOf(started);
  assert.equal(new Set(origins.map((origin) => new URL(origin).hostname)).size, 3);
  const answers = await Promise.all(origins.map(async (origin) => (await fetch(origin)).text()));
  assert.equal(new Set(answers).size, 3);
  await at.runtime.stop(order.instance, 1_000);
  assert.deepEqual(await at.runtime.list(), []);
  for (const key of await at.runtime.kept()) await at.runtime.forget(key, NEVER);
});
