import { readdirSync, readFileSync } from 'node:fs';
import type { TestNode } from './cluster.ts';

/**
 * Ids of all processes of one machine (node) of the test's Docker Swarm. Processes of its engine are found by their
 * arguments, processes in its containers by their control group.
 */
export function processesOf({ socket }: Pick<TestNode, 'socket'>): string[] {
  const [folder = ''] = /simcha-cluster-[^/]+\/[^/]+/.exec(socket) ?? [];
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return ['cmdline', 'cgroup'].some((file) =>
        readFileSync(`/proc/${name}/${file}`, 'utf8').includes(folder),
      );
    } catch {
      return false;
    }
  });
}
