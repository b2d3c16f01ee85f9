import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

export interface TestRepository extends AsyncDisposable {
  /** `file:` URL of the repository, which a server with APPS_GIT_PROTOCOLS=file accepts. */
  address: string;
  /** Commits files in addition to the repository's present files (null removes a file); returns the commit's hash. */
  commit(files: Record<string, string | Uint8Array | null>, message?: string): Promise<string>;
  /** Switches the repository to another branch, which is created at the current commit if it is new. */
  turnTo(branch: string): void;
}

/** Environment variables for git that exclude the machine's own git configuration. */
export const GIT_ENV = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

export const AUTHOR = {
  GIT_AUTHOR_NAME: 'Noa',
  GIT_AUTHOR_EMAIL: 'noa@example.com',
  GIT_COMMITTER_NAME: 'Noa',
  GIT_COMMITTER_EMAIL: 'noa@example.com',
};
/** A single shell script makes the commit, because starting a program from a test process takes long. */
const COMMIT = `
[ -d .git ] || git init --quiet --initial-branch="$2"
git add --all
git commit --quiet --allow-empty --message "$1"
git rev-parse HEAD`;

export async function createRepository(
  files: Record<string, string | Uint8Array>,
  branch = 'main',
): Promise<TestRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-repository-'));
  // The folder is readable for all users, because the server reads the repository under another account.
  await chmod(folder, 0o755);
  const sh = (script: string, ...args: string[]) =>
    execFileSync('/bin/sh', ['-ec', script, 'sh', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...GIT_ENV, ...AUTHOR },
    }).trim();
  const repository: TestRepository = {
    address: `file://${folder}`,
    async commit(changes, message = 'A change') {
      for (const [path, text] of Object.entries(changes)) {
        const file = join(folder, path);
        await mkdir(dirname(file), { recursive: true });
        if (text === null) await rm(file);
        else await writeFile(file, text);
      }
      return sh(COMMIT, message, branch);
    },
    turnTo(branch) {
      sh('git checkout --quiet "$1" 2>/dev/null || git checkout --quiet -b "$1"', branch);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
  await repository.commit(files, 'The first');
  return repository;
}

/** Contents of all files in a folder, by their paths below it, to make a repository of them. */
export async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((one) => one.isFile() && !one.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const texts = paths.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
}
