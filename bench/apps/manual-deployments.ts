import { execFile } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cluster } from '../../commands/cluster/cluster.ts';
import { contextOf } from '../../commands/cluster/node-image.ts';
import { until } from '../../commands/cluster/until.ts';
import { type Engine, openEngine } from '../../server/hosting/engine/engine.ts';

const run = promisify(execFile);
const NEVER = new AbortController().signal;
const PORT = 8080;
const MEMORY = 512 * 2 ** 20;
/** First port that containers of the bench publish, below Docker's own range. */
const FIRST_PORT = 20_000;
/** Folder of installed packages in a build by hand, which the next build uses again. */
const CACHE = '.npm';

/** Program with which the bench builds and runs containers by hand. */
export interface DeployTool {
  /** Name of the deployment tool, as the bench prints it. */
  name: string;
  build(folder: string, key: string): Promise<unknown>;
  /**
   * Starts a container of the site; returns the URLs (origins) where the bench looks for the site, until one answers.
   */
  run(key: string): Promise<string[]>;
  remove(key: string): Promise<unknown>;
}

/** Deploys a repository by hand. `dockerfile` is added to the sources; without it the sources have their own. */
export async function deployManually(
  tool: DeployTool,
  scratch: string,
  { address, key, dockerfile }: { address: string; key: string; dockerfile: string | undefined },
) {
  const [folder, cache] = [join(scratch, key), join(scratch, `${key}-packages`)];
  if (dockerfile?.includes(CACHE)) await fillCache(address, cache);
  let origins: string[] = [];
  const isThere = async () => (await Promise.all(origins.map(answers))).includes(true);
  return {
    async deploy(): Promise<void> {
      await run('git', ['clone', '--quiet', '--depth', '1', address, folder]);
      if (dockerfile !== undefined) await writeFile(join(folder, 'Dockerfile'), dockerfile);
      if (dockerfile?.includes(CACHE)) await cp(cache, join(folder, CACHE), { recursive: true });
      await tool.build(folder, key);
      origins = await tool.run(key);
      while (!(await isThere())) await sleep(10);
    },
    async clear(): Promise<void> {
      await tool.remove(key);
      await until(async () => !(await isThere()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fillCache(address: string, cache: string): Promise<void> {
  const folder = `${cache}-filled`;
  await run('git', ['clone', '--quiet', address, folder]);
  await run('npm', ['ci', '--include=dev', '--silent', '--cache', cache], { cwd: folder });
}

const nameOf = (key: string) => `by-hand-${key}`;

/**
 * Tool that deploys by hand on one engine: with the program `docker` if it is installed, otherwise with the same calls
 * of the engine's API.
 */
export async function engineTool(socket: string): Promise<DeployTool> {
  if (!(await hasDocker())) return apiTool(await openEngine(socket, NEVER));
  const docker = dockerAt(socket);
  const network = nameOf('network');
  await docker('network', 'create', network);
  return {
    name: 'docker build and docker run, in a network of its own that is there before',
    build: (folder, key) => docker('build', '--quiet', '--tag', nameOf(key), folder),
    async run(key) {
      await docker('run', '--detach', '--network', network, '--name', nameOf(key), nameOf(key));
      const format = `{{(index .NetworkSettings.Networks "${network}").IPAddress}}`;
      const address = await docker('inspect', '--format', format, nameOf(key));
      return [`http://${address}:${PORT}/`];
    },
    remove: (key) => docker('rm', '--force', '--volumes', nameOf(key)).catch(() => {}),
  };
}

function apiTool(engine: Engine): DeployTool {
  return {
    name: 'the same calls of the engine’s API',
    async build(folder, key) {
      const order = {
        tag: nameOf(key),
        dockerfile: 'Dockerfile',
        labels: {},
        memory: MEMORY,
        network: 'bridge',
      };
      await engine.build({ ...order, context: contextOf(folder) }, () => {}, NEVER);
    },
    async run(key) {
      await engine.create(nameOf(key), { Image: nameOf(key), Labels: {}, HostConfig: {} }, NEVER);
      await engine.start(nameOf(key), NEVER);
      const found = await engine.inspect(nameOf(key), NEVER);
      return Object.values(found?.NetworkSettings.Networks ?? {}).map(
        ({ IPAddress }) => `http://${IPAddress}:${PORT}/`,
      );
    },
    remove: (key) => engine.remove(nameOf(key), NEVER),
  };
}

/**
 * Tool that deploys by hand on a Docker Swarm cluster, whose machines pull images from its registry; undefined without
 * the program `docker`. `scratch` is the folder for the registry's password.
 */
export async function clusterTool(
  { nodes, registry }: Cluster,
  scratch: string,
): Promise<DeployTool | undefined> {
  if (!(await hasDocker())) return undefined;
  const auth = Buffer.from(`${registry.user}:${registry.password}`).toString('base64');
  await writeFile(join(scratch, 'config.json'), JSON.stringify({ auths: { [registry.address]: { auth } } }));
  const docker = dockerAt(nodes[0]?.socket ?? '', { DOCKER_CONFIG: scratch });
  const imageOf = (key: string) => `${registry.address}/by-hand/${key}`;
  let port = FIRST_PORT;
  return {
    name: 'docker build, docker push and docker service create',
    async build(folder, key) {
      await docker('build', '--quiet', '--tag', imageOf(key), folder);
      await docker('push', '--quiet', imageOf(key));
    },
    async run(key) {
      port += 1;
      const published = ['--publish', `mode=host,target=${PORT},published=${port}`];
      const how = ['--detach', '--quiet', '--with-registry-auth', '--stop-grace-period', '0s'];
      await docker('service', 'create', ...how, ...published, '--name', nameOf(key), imageOf(key));
      return nodes.map(({ address }) => `http://${address}:${port}/`);
    },
    remove: (key) => docker('service', 'rm', nameOf(key)).catch(() => {}),
  };
}

function hasDocker(): Promise<boolean> {
  return run('docker', ['--version']).then(
    () => true,
    () => false,
  );
}

function dockerAt(socket: string, further: Record<string, string> = {}) {
  return async (...words: string[]): Promise<string> => {
    const env = { ...process.env, DOCKER_BUILDKIT: '0', ...further };
    return (await run('docker', ['--host', `unix://${socket}`, ...words], { env })).stdout.trim();
  };
}

function answers(origin: string): Promise<boolean> {
  return fetch(origin).then(
    ({ ok }) => ok,
    () => false,
  );
}
