import { existsSync, realpathSync } from 'node:fs';
import { chmod, mkdir, rm, symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

/** What builds and sites are given: by itself the node we run on, and the npm that was used to install us. */
export interface Tools {
  /** The program itself. */
  node: string;
  /** npm's own folder, with `bin/npm-cli.js` in it; undefined when this machine has none. */
  npm: string | undefined;
  /** A folder of links to them, for who has no sandbox to find them in. */
  bin?: string;
}

export function findTools(env: NodeJS.ProcessEnv = process.env): Tools {
  const onPath = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm'));
  const candidates = [env.npm_execpath, ...onPath].filter((path) => path && existsSync(path));
  const cli = candidates
    .map((path) => realpathSync(path ?? ''))
    .find((path) => basename(path) === 'npm-cli.js');
  return { node: realpathSync(process.execPath), npm: cli && dirname(dirname(cli)) };
}

/** Makes the folder `bin` in `folder`. */
export async function linkTools({ node, npm }: Tools, folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await rm(bin, { recursive: true, force: true });
  await mkdir(bin, { recursive: true });
  await chmod(bin, 0o755);
  await symlink(node, join(bin, 'node'));
  for (const name of npm ? ['npm', 'npx'] : []) {
    await symlink(join(npm ?? '', 'bin', `${name}-cli.js`), join(bin, name));
  }
  return bin;
}
