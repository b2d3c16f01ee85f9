import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

/** What builds and sites are given of ours: the node we run on, and the npm that was used to install us. */
export interface Tools {
  /** The program itself. */
  node: string;
  /** npm's own folder, with `bin/npm-cli.js` in it; undefined when this machine has none. */
  npm: string | undefined;
}

export function findTools(env: NodeJS.ProcessEnv = process.env): Tools {
  const onPath = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm'));
  const candidates = [env.npm_execpath, ...onPath].filter((path) => path && existsSync(path));
  const cli = candidates
    .map((path) => realpathSync(path ?? ''))
    .find((path) => basename(path) === 'npm-cli.js');
  return { node: realpathSync(process.execPath), npm: cli && dirname(dirname(cli)) };
}
