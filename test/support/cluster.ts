import { after, before, type TestContext, test } from 'node:test';
import {
  type Cluster,
  type ClusterNode,
  startCluster,
  whyNoCluster,
} from '../../commands/cluster/cluster.ts';

export type TestCluster = Cluster;
export type TestNode = ClusterNode;

let common: Promise<TestCluster> | undefined;
let users = 0;

/** The one cluster of a process, which takes half a minute to make and fill, from the first who asks to the last who leaves. */
export function shareCluster() {
  users += 1;
  return {
    get: () => {
      common ??= startCluster();
      return common;
    },
    async leave() {
      users -= 1;
      if (users === 0) await (await common)?.[Symbol.asyncDispose]();
    },
  };
}

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
