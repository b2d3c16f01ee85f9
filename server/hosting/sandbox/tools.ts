import { existsSync, realpathSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

/** Programs for builds and sites: by default the node that runs the server, and the npm that installed it. */
export interface Tools {
  /** Path of the node program. */
  node: string;
  /** Folder of npm, with `bin/npm-cli.js` in it; undefined if this machine has none. */
  npm: string | undefined;
  /** Folder of links to the programs, for commands without a sandbox. */
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

/**
 * Makes the folder `bin` in `folder`, unless it already has the right content: on a full disk it could not be written
 * again.
 */
export async function linkTools({ node, npm }: Tools, folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  const links = new Map([['node', node]]);
  for (const name of npm ? ['npm', 'npx'] : []) links.set(name, join(npm ?? '', 'bin', `${name}-cli.js`));
  if (await holdsLinks(bin, links)) return bin;
  await rm(bin, { recursive: true, force: true });
  await mkdir(bin, { recursive: true });
  await chmod(bin, 0o755);
  for (const [name, target] of links) await symlink(target, join(bin, name));
  return bin;
}

/** True if the path is a folder that everybody can read, with the given links in it and no others. */
async function holdsLinks(bin: string, links: ReadonlyMap<string, string>): Promise<boolean> {
  const found = await lstat(bin).catch(() => undefined);
  if (!found?.isDirectory() || (found.mode & 0o777) !== 0o755) return false;
  const names = await readdir(bin);
  const targets = await Promise.all(names.map((name) => readlink(join(bin, name)).catch(() => undefined)));
  return names.length === links.size && names.every((name, at) => links.get(name) === targets[at]);
}
