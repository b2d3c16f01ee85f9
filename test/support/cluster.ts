import { after, before, type TestContext, test } from 'node:test';
import {
  type Cluster,
  type ClusterNode,
  startCluster,
  whyNoCluster,
} from '../../commands/cluster/cluster.ts';

export type TestCluster = Cluster;
export type TestNode = ClusterNode;

/** A cluster for the tests of a file, and a test that takes it: where there is none, it says why it is passed over. */
export function clusterOfFile(prepare: (cluster: TestCluster) => Promise<void>) {
  const lacks = whyNoCluster();
  const owned = new AsyncDisposableStack();
  let cluster: TestCluster | undefined;
  before(async () => {
    if (lacks !== undefined) return;
    cluster = owned.use(await startCluster());
    await prepare(cluster);
  });
  after(() => owned.disposeAsync());
  return {
    /** Ends before the cluster does. */
    owned,
    withCluster: (name: string, work: (cluster: TestCluster, t: TestContext) => Promise<void>) =>
      test(name, async (t) => {
        if (!cluster) return t.skip(lacks ?? 'there is no cluster');
        await work(cluster, t);
      }),
  };
}
