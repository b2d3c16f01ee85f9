import { after, test } from 'node:test';
import { whyNoCluster } from '../../commands/cluster/cluster.ts';
import { shareCluster } from './cluster.ts';
import { clusterSettings } from './cluster-settings.ts';
import { settingsFor, shareEngine, whyNoEngine } from './engine.ts';

// Repeats tests of hosting with servers whose sites run in containers or in a cluster instead of as processes.

const owned = new AsyncDisposableStack();

const PODMAN = 'apt-get install --no-install-recommends podman runc netavark';
const RUNTIMES = {
  docker: {
    what: 'sites as containers',
    lacks: () => whyNoEngine('docker'),
    begin: async () => settingsFor(await owned.adopt(shareEngine(), ({ leave }) => leave()).get()),
  },
  swarm: {
    what: 'sites in a cluster',
    lacks: whyNoCluster,
    begin: async () => clusterSettings(await owned.adopt(shareCluster(), ({ leave }) => leave()).get()),
  },
  /** Podman runs only the engine's own tests, which start Podman themselves. */
  podman: {
    what: 'containers of Podman',
    lacks: () => whyNoEngine('podman') && PODMAN,
    begin: async () => {
      process.env.SIMCHA_TEST_ENGINE_KIND = 'podman';
      return {};
    },
  },
};
export type OtherRuntime = keyof typeof RUNTIMES;

/**
 * Runs the tests that `load` imports on another runtime, until the end of this process. On a machine without that
 * runtime the tests are skipped with the reason.
 */
export async function runOn(runtime: OtherRuntime, load: () => Promise<unknown>): Promise<void> {
  const { what, lacks, begin } = RUNTIMES[runtime];
  const why = lacks();
  if (why !== undefined) {
    test(what, (t) => t.skip(why));
    return;
  }
  process.env.SIMCHA_RUNTIME_SETTINGS = JSON.stringify(await begin());
  await load();
  // This hook runs after the hooks of the tests, one of which may end a server that the tests share.
  after(() => owned.disposeAsync());
}
