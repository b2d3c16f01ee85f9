import type { Connection } from './connection.ts';
import { type Labels, labelFilter, withAllLabels } from './labels.ts';
import { ignoreMissing, undefinedIfMissing } from './missing.ts';
import { ignoreNetworkRemovedMeanwhile } from './quirks/docker.ts';

export interface ListedNetwork {
  Id: string;
  Name: string;
  Driver: string;
  Labels: Labels;
}

/**
 * Calls about networks of one machine. A cluster's networks are made by swarm/swarm.ts, but listed and removed here
 * too.
 */
export function networkCalls({ ask }: Connection) {
  return {
    /**
     * Creates a network and returns its id. Names may repeat: only the id identifies a network. `device`: name of its
     * bridge.
     */
    async createNetwork(
      name: string,
      { labels, subnet, device }: { labels: Labels; subnet: string; device: string },
      signal: AbortSignal,
    ): Promise<string> {
      const IPAM = { Config: [{ Subnet: subnet }] };
      const Options = { 'com.docker.network.bridge.name': device };
      const body = { Name: name, CheckDuplicate: true, EnableIPv6: false, Labels: labels, IPAM, Options };
      return (await ask<{ Id: string }>({ method: 'POST', path: ['networks', 'create'], body, signal })).Id;
    },

    async networks(labels: Labels, signal: AbortSignal): Promise<ListedNetwork[]> {
      const query = { filters: labelFilter(labels) };
      return withAllLabels(labels, await ask<ListedNetwork[]>({ path: ['networks'], query, signal }));
    },

    /**
     * Name of the network device on the engine's machine for containers that are given no network, and for BuildKit.
     */
    async defaultBridge(signal: AbortSignal): Promise<string> {
      const path = ['networks', 'bridge'];
      const bridge = await undefinedIfMissing(ask<{ Options: Labels }>({ path, signal }));
      return bridge?.Options['com.docker.network.bridge.name'] ?? 'docker0';
    },

    removeNetwork: (id: string, signal: AbortSignal): Promise<void> =>
      ignoreMissing(ask({ method: 'DELETE', path: ['networks', id], signal })).catch(
        ignoreNetworkRemovedMeanwhile,
      ),
  };
}
