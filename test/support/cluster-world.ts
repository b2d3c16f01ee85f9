import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from './client.ts';
import type { TestCluster } from './cluster.ts';
import { clearServices } from './cluster-settings.ts';
import { applicationClient, newApplication, verifiedUser, versionSite } from './deployed.ts';
import { createRepository } from './git.ts';
import { freePort } from './postgres.ts';
import { type ServerProcess, spawnReadyServer, spawnServer } from './process.ts';
import { KEY, SECRET, temporaryDatabase } from './server.ts';

export type ClusterWorld = Awaited<ReturnType<typeof openClusterWorld>>;

/**
 * Opens two servers on one PostgreSQL (a new database unless the settings name one), each with the engine of its own
 * machine; a gateway without an engine; and two applications, one of them with static files only. The first server runs
 * the sites.
 */
export async function openClusterWorld(cluster: TestCluster, settings: Record<string, string>) {
  await using begun = new AsyncDisposableStack();
  const { DATABASE_URL = begun.use(await temporaryDatabase('postgres')).env.DATABASE_URL ?? '' } = settings;
  const repository = begun.use(await createRepository(versionSite('v')));
  const files = begun.use(await createRepository({ 'index.html': 'page' }));
  const common = {
    ...settings,
    DATABASE_URL,
    ENCRYPTION_KEY: KEY,
    JWT_SECRET: SECRET,
    APPS_GIT_PROTOCOLS: 'file',
    RATE_LIMIT: '1000000',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'simcha-member-'));
    begun.defer(() => rm(folder, { recursive: true, force: true }));
    return folder;
  };
  const ending = (server: ServerProcess) =>
    begun.defer(async () => {
      server.child.kill('SIGTERM');
      await server.ended;
    });
  const startServer = async (node: number) => {
    const [folder, port] = [await newFolder(), String(await freePort())];
    const own = { DATA_DIR: folder, APPS_ENGINE: cluster.nodes[node]?.socket ?? '' };
    const at = { PORT: port, INTERNAL_URL: `http://127.0.0.1:${port}` };
    const server = await spawnReadyServer({ ...common, ...own, ...at });
    ending(server);
    return { ...server, folder };
  };
  const first = await startServer(0);
  // The user registers before the second server starts, because that server might send the mail too.
  const user = await verifiedUser(first.url, first.folder);
  const app = await newApplication(user.call, first.url, repository.address);
  const pages = await newApplication(user.call, first.url, files.address);
  begun.defer(() => clearServices(cluster.nodes[1]?.socket ?? '', [app.uuid]));
  const second = await startServer(1);
  const folder = await newFolder();
  const port = String(await freePort());
  const spawned = await spawnServer({ ...common, DATA_DIR: folder, APPS_PORT: port }, { args: ['gateway'] });
  ending(spawned);
  const gateway = { ...spawned, folder };
  const asked = createClient(second.url, { headers: { 'x-api-key': user.key } });
  const owned = begun.move();
  return {
    first,
    second,
    gateway,
    user,
    app,
    repository,
    pages,
    /** Client for the application of `app`, with requests to the second server instead of the first. */
    elsewhere: applicationClient(asked, second.url, app.uuid, app.host),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
