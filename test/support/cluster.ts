import { after, before, type TestContext, test } from 'node:test';
import {
  type Cluster,
  type ClusterNode,
  startCluster,
  whyNoCluster,
} from '../../commands/cluster/cluster.ts';
import { shared } from './shared.ts';

export type TestCluster = Cluster;
export type TestNode = ClusterNode;

/** The cluster of a process, which takes half a minute to make and fill. */
export const shareCluster = shared(startCluster);

/** A cluster for the tests of a file, and a test that takes it: where there is none, it says why it is passed over. */
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
    /** Ends before the cluster does. */
    owned,
    withCluster: (name: string, work: (cluster: TestCluster, t: TestContext) => Promise<void>) =>
      test(name, async (t) => {
        if (!cluster) return t.skip(lacks ?? 'there is no cluster');
        await work(cluster, t);
      }),
  };
}
