import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { freePort } from './postgres.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const PROJECT = 'simcha';
const MOST_OUTPUT = 2 ** 26;

export type Checkout = Awaited<ReturnType<typeof checkOut>>;

/**
 * Copies the files that git knows of this working tree to a folder, for Debian's docker-compose and the engine at a
 * socket.
 */
export async function checkOut(socket: string) {
  const folder = await mkdtemp('/tmp/simcha-checkout-');
  const copy =
    'git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from - | tar --extract --directory "$0"';
  execFileSync('sh', ['-ec', copy, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  // Environment variables for docker-compose. The tests' own settings are left out. BuildKit is off, because it would
  // download its frontend image from a registry.
  const env = {
    PATH: process.env.PATH,
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_BUILDKIT: '0',
    COMPOSE_PROJECT_NAME: PROJECT,
  };
  const tell = async (program: string, args: readonly string[]) => {
    const { stdout } = await run(program, args, { cwd: folder, env, maxBuffer: MOST_OUTPUT });
    return stdout.trim();
  };
  return {
    folder,
    put: (name: string, text: string) => writeFile(`${folder}/${name}`, text),
    /** Adds or replaces settings in the `.env` file of this copy of the project. */
    set: (settings: Record<string, string>) =>
      appendFile(
        `${folder}/.env`,
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      ),
    docker: (...args: string[]) => tell('/usr/bin/docker', args),
    /** Runs `docker-compose` with the compose file of this name. */
    compose: (file: string, ...args: string[]) => tell('/usr/bin/docker-compose', ['--file', file, ...args]),
    containerOf: (service: string) => `${PROJECT}_${service}_1`,
    volumeOf: (name: string) => `${PROJECT}_${name}`,
    network: `${PROJECT}_default`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Starts `git daemon`, which serves each repository in the folder at a `git://` address. */
export async function startGitDaemon(host: string, folder: string) {
  const port = await freePort();
  const child = spawn(
    '/usr/lib/git-core/git-daemon',
    ['--export-all', `--base-path=${folder}`, `--listen=${host}`, `--port=${port}`, '--reuseaddr', folder],
    {
      stdio: 'ignore',
      env: {
        ...process.env,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      },
    },
  );
  const ended = once(child, 'close');
  return {
    address: (name: string) => `git://${host}:${port}/${name}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

/** Waits until the response of `/readyz` says that the server is ready. */
export const untilReady = (url: string): Promise<void> =>
  until(
    () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    120_000,
  );
