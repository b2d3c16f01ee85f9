import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TestRepository extends AsyncDisposable {
  /** For APPS_GIT_PROTOCOLS=file. */
  address: string;
  /** Commits these files beside those there are (null removes one); gives the commit's hash. */
  commit(files: Record<string, string | Uint8Array | null>, message?: string): Promise<string>;
  /** Goes on with another branch, begun where it is now if it is new. */
  turnTo(branch: string): void;
}

/** Nothing of the machine's configuration has a say. */
export const GIT_ENV = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/** A git repository of our own in a new folder. */
export async function createRepository(
  files: Record<string, string | Uint8Array>,
  branch = 'main',
): Promise<TestRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-repository-'));
  // The server reads it under another account.
  await chmod(folder, 0o755);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Noa', '-c', 'user.email=noa@example.com', ...args], {
      encoding: 'utf8',
      env: GIT_ENV,
    }).trim();
  git('init', '--quiet', `--initial-branch=${branch}`);
  const repository: TestRepository = {
    address: `file://${folder}`,
    async commit(changes, message = 'A change') {
      for (const [path, text] of Object.entries(changes)) {
        const file = join(folder, path);
        await mkdir(dirname(file), { recursive: true });
        if (text === null) await rm(file);
        else await writeFile(file, text);
      }
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', message);
      return git('rev-parse', 'HEAD');
    },
    turnTo(branch) {
      const isThere = git('branch', '--list', branch) !== '';
      git('checkout', '--quiet', ...(isThere ? [branch] : ['-b', branch]));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
  await repository.commit(files, 'The first');
  return repository;
}
