import type { Connection } from '../connection.ts';
import { EngineError } from '../errors.ts';
import type { Labels } from '../labels.ts';
import { OVERLAY } from '../networks.ts';
import { ignoreExisting, retryOutOfSequence, serviceCalls, taskCalls } from './service-calls.ts';
import type { Node } from './types.ts';

/** First version of Docker's API in which a service of a Swarm can forbid its processes to gain new privileges. */
export const NO_NEW_PRIVILEGES = '1.44';

export type Swarm = ReturnType<typeof createSwarm>;

/**
 * Client of a manager of a Docker Swarm (https://docs.docker.com/reference/api/engine/). Calls throw the same errors as
 * an engine's. `registry`: headers with which machines pull images.
 */
export function createSwarm(connection: Connection, registry: Readonly<Record<string, string>>) {
  return {
    ...clusterCalls(connection),
    ...serviceCalls(connection, registry),
    ...taskCalls(connection),
    ...nodeCalls(connection),
  };
}

/** Calls about a cluster as a whole, and about its networks. */
function clusterCalls({ ask, stream }: Connection) {
  return {
    /**
     * Checks that the Docker Swarm manager answers; rejects if it does not. A manager without a leader counts as
     * answering. Uses a connection of its own, because calls on the shared connections may be waiting for a leader.
     */
    async reach(signal: AbortSignal): Promise<void> {
      try {
        (await stream({ path: ['_ping'], signal })).resume();
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
      }
    },

    /** Id of the cluster, the same on all its machines; undefined if the engine does not manage one. */
    async cluster(signal: AbortSignal): Promise<string | undefined> {
      const { Swarm: swarm } = await ask<{
        Swarm?: { ControlAvailable: boolean; Cluster?: { ID: string } };
      }>({ path: ['info'], signal });
      return swarm?.ControlAvailable ? swarm.Cluster?.ID : undefined;
    },

    /**
     * Creates a network across all machines; does nothing if the name exists. Networks local to each machine do not
     * survive a power cut: https://github.com/moby/moby/issues/38318
     */
    async createNetwork(name: string, labels: Labels, signal: AbortSignal): Promise<void> {
      const body = { Name: name, CheckDuplicate: true, Driver: OVERLAY, Labels: labels };
      await ignoreExisting(ask({ method: 'POST', path: ['networks', 'create'], body, signal }));
    },
  };
}

/** Calls about the machines of a cluster. */
function nodeCalls({ ask }: Connection) {
  return {
    nodes: async (signal: AbortSignal): Promise<Node[]> =>
      (await ask<Node[] | null>({ path: ['nodes'], query: { filters: {} }, signal })) ?? [],

    /** Sets labels of a machine; undefined removes a label. */
    labelNode: (
      id: string,
      labels: Readonly<Record<string, string | undefined>>,
      signal: AbortSignal,
    ): Promise<void> =>
      retryOutOfSequence(async () => {
        const node = await ask<Node>({ path: ['nodes', id], signal });
        const body = { ...node.Spec, Labels: { ...node.Spec.Labels, ...labels } };
        const query = { version: node.Version.Index };
        await ask({ method: 'POST', path: ['nodes', id, 'update'], query, body, signal });
      }),
  };
}
