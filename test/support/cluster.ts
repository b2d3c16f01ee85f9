import { after, before, type TestContext, test } from 'node:test';
import {
  type Cluster,
  type ClusterNode,
  startCluster,
  whyNoCluster,
} from '../../commands/cluster/cluster.ts';
import { shareResource } from './shared-resource.ts';

export type TestCluster = Cluster;
export type TestNode = ClusterNode;

/** Cluster that all tests of a process share, because it takes half a minute to make and fill. */
export const shareCluster = shareResource(startCluster);

/** Test cluster for the tests of a file. On a machine without clusters the tests are skipped with the reason. */
export function clusterOfFile(prepare: (cluster: TestCluster) => Promise<void>) {
  const lacks = whyNoCluster();
  const share = shareCluster();
  const owned = new AsyncDisposableStack();
  let cluster: TestCluster | undefined;
  before(async () => {
    if (lacks !== undefined) return;
    cluster = await share.get();
    await prepare(cluster);
  });
  after(async () => {
    await owned.disposeAsync();
    await share.leave();
  });
  return {
    /** Resources that are disposed of before the test cluster ends. */
    owned,
    withCluster: (name: string, work: (cluster: TestCluster, t: TestContext) => Promise<void>) =>
      test(name, async (t) => {
        if (!cluster) return t.skip(lacks ?? 'there is no cluster');
        await work(cluster, t);
      }),
  };
}
