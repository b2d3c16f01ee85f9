import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type ServerProcess, type SpawnOptions, spawnServer } from './process.ts';
import { KEY, postgresDatabase, preparedFolder, SECRET } from './server.ts';

/**
 * Runs servers one after the other in one data folder, for the tests of a `describe`; servers that still run are killed
 * at its end.
 */
export function serversOfOneFolder() {
  const at = { folder: '', env: {} as Record<string, string>, onPostgres: {} as Record<string, string> };
  let database: Awaited<ReturnType<typeof postgresDatabase>>;
  const running: ServerProcess[] = [];
  before(async () => {
    at.folder = await preparedFolder(await mkdtemp(join(tmpdir(), 'simcha-operation-')));
    at.env = { DATA_DIR: at.folder, JWT_SECRET: SECRET };
    database = await postgresDatabase('simcha_template');
    at.onPostgres = { DATABASE_URL: database.url, ENCRYPTION_KEY: KEY };
  });
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await database.drop();
    await rm(at.folder, { recursive: true, force: true });
  });
  return Object.assign(at, {
    async start(more: Record<string, string> = {}, manner?: SpawnOptions) {
      const server = await spawnServer({ ...at.env, ...more }, manner);
      running.push(server);
      return server;
    },
  });
}
