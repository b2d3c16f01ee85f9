import { execFile } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { contextOf } from '../../commands/cluster/node-image.ts';
import { openEngine } from '../../server/hosting/engine/engine.ts';

const run = promisify(execFile);
const NEVER = new AbortController().signal;
const PORT = 8080;
const MEMORY = 512 * 2 ** 20;
/** Of a build by hand: what it installed last, for the next one. */
const CACHE = '.npm';

interface Tool {
  build(folder: string, tag: string): Promise<unknown>;
  /** Gives the container's address. */
  run(tag: string, name: string): Promise<string>;
  remove(name: string): Promise<unknown>;
}

/** What deploys a repository by hand at an engine, and what with. */
export async function byHandAt(socket: string, scratch: string) {
  const hasDocker = await run('docker', ['--version']).then(
    () => true,
    () => false,
  );
  const tool = hasDocker ? byDocker(socket) : byApi(socket);
  /** `dockerfile` is put beside the sources, which have their own where it is absent. */
  const hand = async (address: string, key: string, dockerfile: string | undefined) => {
    const name = `by-hand-${key}`;
    const [folder, cache] = [join(scratch, key), join(scratch, `${key}-packages`)];
    if (dockerfile?.includes(CACHE)) await fillCache(address, cache);
    return {
      async deploy(): Promise<void> {
        await run('git', ['clone', '--quiet', '--depth', '1', address, folder]);
        if (dockerfile !== undefined) await writeFile(join(folder, 'Dockerfile'), dockerfile);
        if (dockerfile?.includes(CACHE)) await cp(cache, join(folder, CACHE), { recursive: true });
        await tool.build(folder, name);
        const origin = `http://${await tool.run(name, name)}:${PORT}/`;
        while (!(await answers(origin))) await sleep(10);
      },
      async clear(): Promise<void> {
        await tool.remove(name);
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
  return [hand, hasDocker ? 'docker build and docker run' : 'the same calls of the engine’s API'] as const;
}

async function fillCache(address: string, cache: string): Promise<void> {
  const folder = `${cache}-filled`;
  await run('git', ['clone', '--quiet', address, folder]);
  await run('npm', ['ci', '--include=dev', '--silent', '--cache', cache], { cwd: folder });
}

function byDocker(socket: string): Tool {
  const docker = async (...words: string[]) => {
    const env = { ...process.env, DOCKER_BUILDKIT: '0' };
    return (await run('docker', ['--host', `unix://${socket}`, ...words], { env })).stdout.trim();
  };
  return {
    build: (folder, tag) => docker('build', '--quiet', '--tag', tag, folder),
    async run(tag, name) {
      await docker('run', '--detach', '--name', name, tag);
      return docker('inspect', '--format', '{{.NetworkSettings.IPAddress}}', name);
    },
    remove: (name) => docker('rm', '--force', '--volumes', name).catch(() => {}),
  };
}

function byApi(socket: string): Tool {
  const engine = openEngine(socket, NEVER);
  return {
    async build(folder, tag) {
      const order = { tag, dockerfile: 'Dockerfile', labels: {}, memory: MEMORY, network: 'bridge' };
      await (await engine).build({ ...order, context: contextOf(folder) }, () => {}, NEVER);
    },
    async run(tag, name) {
      const { create, start, inspect } = await engine;
      await create(name, { Image: tag, Labels: {}, HostConfig: {} }, NEVER);
      await start(name, NEVER);
      const found = await inspect(name, NEVER);
      return Object.values(found?.NetworkSettings.Networks ?? {})[0]?.IPAddress ?? '';
    },
    remove: async (name) => (await engine).remove(name, NEVER),
  };
}

function answers(origin: string): Promise<boolean> {
  return fetch(origin).then(
    ({ ok }) => ok,
    () => false,
  );
}
