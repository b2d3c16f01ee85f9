import type { Manifest } from './manifest.ts';

/** How a package manager is asked. */
export interface Manager {
  install: string;
  run(script: string): string;
  /** Whether a lockfile told it. */
  isLocked: boolean;
  /** What it runs programs with, where that is no node: how it gets beside the site, and where it is then. */
  runtime?: { name: string; install: string; path: string };
}

export const NPM_LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'];
export const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];

export const NPM_CI = 'npm ci --include=dev';

/** Files by which a package manager is told, the first that is there. */
export const LOCKFILES = [...NPM_LOCKS, 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];

/** Whether there is anything to install. */
export function installs(
  files: ReadonlySet<string>,
  { dependencies, isWorkspace, scripts }: Manifest,
): boolean {
  return (
    dependencies.size > 0 ||
    isWorkspace ||
    INSTALL_SCRIPTS.some((name) => scripts[name] !== undefined) ||
    files.has('pnpm-workspace.yaml')
  );
}

/** NODE_ENV is `production` in builds, which by itself would leave out what a build needs. */
export function managerOf(
  files: ReadonlySet<string>,
  { packageManager }: Pick<Manifest, 'packageManager'>,
): Manager {
  const [, named = '', version = ''] = /^(\w+)@([\w.-]+)/.exec(packageManager) ?? [];
  const pinned = (name: string, fallback: string) => (named === name && version ? version : fallback);
  const has = (...locks: string[]) => locks.some((lock) => files.has(lock));
  if (has(...NPM_LOCKS)) return { ...npm(NPM_CI), isLocked: true };
  if (has('pnpm-lock.yaml')) {
    return by(`npx --yes pnpm@${pinned('pnpm', '10')}`, 'install --frozen-lockfile --prod=false');
  }
  if (has('yarn.lock')) return yarn(pinned('yarn', '1.22.22'));
  if (has('bun.lock', 'bun.lockb')) return bun(pinned('bun', '1'));
  return npm('npm install --include=dev --no-package-lock');
}

function npm(install: string): Manager {
  return { install, run: (script) => `npm run ${script}`, isLocked: false };
}

function by(command: string, install: string): Manager {
  return { install: `${command} ${install}`, run: (script) => `${command} run ${script}`, isLocked: true };
}

/** From its second major on, yarn is published under another name and speaks otherwise. */
function yarn(version: string): Manager {
  return version.startsWith('1.')
    ? by(`npx --yes yarn@${version}`, 'install --frozen-lockfile --production=false')
    : by(`npx --yes @yarnpkg/cli-dist@${version}`, 'install --immutable');
}

/** https://bun.com/docs/pm/cli/install: what is for development is left out where that is asked for alone. */
function bun(version: string): Manager {
  const folder = '.bun';
  return {
    ...by(`npx --yes bun@${version}`, 'install --frozen-lockfile'),
    runtime: {
      name: 'bun',
      install: `npm install --no-package-lock --prefix ${folder} bun@${version}`,
      path: `./${folder}/node_modules/.bin/bun`,
    },
  };
}
