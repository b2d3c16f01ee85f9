import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from './database/database.ts';

/** Adds metrics of this process's machine: the disk of its data folder, and its connections to PostgreSQL. */
export function measureMachine(
  registry: Registry,
  { dataDir, database }: { dataDir: string; database: Pick<Database, 'connections'> },
): void {
  new Gauge({
    name: 'simcha_disk_bytes',
    help: 'Disk of the data folder: its size, and what is free for this server.',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      const { bavail, blocks, bsize } = await statfs(dataDir);
      this.set({ part: 'free' }, bavail * bsize);
      this.set({ part: 'size' }, blocks * bsize);
    },
  });
  new Gauge({
    name: 'simcha_database_connections',
    help: 'Connections of this process to PostgreSQL: busy, idle, and callers that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const connections = database.connections?.();
      if (!connections) return;
      this.set({ state: 'busy' }, connections.total - connections.idle);
      this.set({ state: 'idle' }, connections.idle);
      this.set({ state: 'waiting' }, connections.waiting);
    },
  });
}
