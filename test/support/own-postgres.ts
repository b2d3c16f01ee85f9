import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.ts';
import { spawnReadyServer } from './process.ts';
import { SECRET } from './server.ts';

/** A server that runs sites, on a PostgreSQL of its own, which a test may stop or change; both end with it. */
export async function serverOnOwnPostgres() {
  const postgres = await startPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-own-postgres-'));
  const server = await spawnReadyServer({
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url('postgres'),
    JWT_SECRET: SECRET,
    RATE_LIMIT: '1000000',
    APPS_GIT_PROTOCOLS: 'file',
  });
  return {
    postgres,
    dataDir,
    server,
    async [Symbol.asyncDispose]() {
      server.child.kill('SIGKILL');
      await server.ended;
      await postgres.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
