import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres } from './postgres.ts';
import { type ServerProcess, spawnReadyServer, spawnServer } from './process.ts';
import { SECRET } from './server.ts';

/** Starts a server that runs sites and a PostgreSQL of its own, which a test may stop or change. Both end together. */
export async function serverOnOwnPostgres(settings: Record<string, string> = {}) {
  const postgres = await startPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-own-postgres-'));
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url('postgres'),
    JWT_SECRET: SECRET,
    RATE_LIMIT: '1000000',
    APPS_GIT_PROTOCOLS: 'file',
    ...settings,
  };
  const server = await spawnReadyServer(env);
  const processes: ServerProcess[] = [server];
  return {
    postgres,
    dataDir,
    server,
    /** Starts a separate gateway process beside the server. */
    async startGateway(): Promise<ServerProcess> {
      const gateway = await spawnServer(
        { ...env, APPS_PORT: String(await freePort()) },
        { args: ['gateway'] },
      );
      processes.push(gateway);
      return gateway;
    },
    async [Symbol.asyncDispose]() {
      for (const { child, ended } of processes) {
        child.kill('SIGKILL');
        await ended;
      }
      await postgres.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
