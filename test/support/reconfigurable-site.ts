import { newApplication, verifiedUser } from './deployed.ts';
import { createRepository } from './git.ts';
import { freePort } from './postgres.ts';
import { type ServerProcess, spawnReadyServer } from './process.ts';
import { temporaryDatabase } from './server.ts';
import { until } from './until.ts';

type Settings = Readonly<Record<string, string>>;

/** Application on a server that is restarted with changing settings, with one data folder and one database. */
export async function openReconfigurableSite(files: Readonly<Record<string, string>>, settings: Settings) {
  await using owned = new AsyncDisposableStack();
  const database = owned.use(await temporaryDatabase('embedded'));
  const repository = owned.use(await createRepository(files));
  const env = {
    ...database.env,
    APPS_GIT_PROTOCOLS: 'file',
    RATE_LIMIT: '1000000',
    PORT: String(await freePort()),
    APPS_PORT: String(await freePort()),
  };
  let server: ServerProcess = await spawnReadyServer({ ...env, ...settings });
  const end = async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  };
  owned.defer(end);
  const user = await verifiedUser(server.url, database.env.DATA_DIR);
  const app = await newApplication(user.call, server.url, repository.address);
  const all = owned.move();
  return {
    app,
    repository,
    user,
    url: server.url,
    dataDir: database.env.DATA_DIR,
    /** Number of lines with this text in the current server's log. Lines about requests are not counted. */
    says: (what: string) =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes(what) && !line.includes('"requestId"')).length,
    /** Waits until the runtime has restarted the site this number of times. */
    tried: (times: number) =>
      until(async () => {
        const { processes } = (await app.call('GET', '/processes')).body;
        return processes[0].replicas[0].restarts >= times;
      }, 60_000),
    /** Restarts the server with other settings; calls `meanwhile` while no server runs. */
    async move(others: Settings, meanwhile = () => {}) {
      await end();
      meanwhile();
      server = await spawnReadyServer({ ...env, ...others });
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
