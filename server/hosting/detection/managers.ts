import { MANAGER_FOLDER } from '../sandbox/shell.ts';
import type { Manifest } from './manifest.ts';

/** Commands of a package manager. */
export interface Manager {
  install: string;
  run(script: string): string;
  /** True if a lockfile determined the package manager. */
  isLocked: boolean;
  /**
   * Command that installs a package manager which the machine lacks, and a pattern for the commands that need it. The
   * folder for the package manager is in the PATH of all commands. It is not the site's own folder: there, npm would
   * read the site's package.json and refuse what its `overrides` change.
   */
  brought?: { command: string; isNeededBy: RegExp };
}

export const NPM_LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'];
export const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];

export const NPM_CI = 'npm ci --include=dev';

/** Lockfiles that determine the package manager; the first existing one applies. */
export const LOCKFILES = [...NPM_LOCKS, 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];

/** True if the source has packages to install. */
export function needsInstall(
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

/**
 * Package manager of a source. Installs include development dependencies explicitly: NODE_ENV is `production` in
 * builds, which would omit packages that a build needs.
 */
export function managerOf(
  files: ReadonlySet<string>,
  { packageManager }: Pick<Manifest, 'packageManager'>,
): Manager {
  const [, named = '', version = ''] = /^(\w+)@([\w.-]+)/.exec(packageManager) ?? [];
  const pinned = (name: string, fallback: string) => (named === name && version ? version : fallback);
  const has = (...locks: string[]) => locks.some((lock) => files.has(lock));
  if (has(...NPM_LOCKS)) return { ...npm(NPM_CI), isLocked: true };
  if (has('pnpm-lock.yaml')) {
    return brought('pnpm', `pnpm@${pinned('pnpm', '10')}`, 'install --frozen-lockfile --prod=false');
  }
  if (has('yarn.lock')) return yarn(pinned('yarn', '1.22.22'));
  if (has('bun.lock', 'bun.lockb')) return bun(pinned('bun', '1'));
  return npm('npm install --include=dev --no-package-lock');
}

function npm(install: string): Manager {
  return { install, run: (script) => `npm run ${script}`, isLocked: false };
}

function brought(name: string, source: string, install: string): Manager {
  return {
    install: `${name} ${install}`,
    run: (script) => `${name} run ${script}`,
    isLocked: true,
    brought: {
      command: `npm install --no-package-lock --ignore-scripts --prefix ${MANAGER_FOLDER} ${source}`,
      isNeededBy: new RegExp(`(?:^|[\\s;&|(])${name}x?(?=\\s|$)`),
    },
  };
}

/** Yarn has another package name and other options since its second major version. */
function yarn(version: string): Manager {
  return version.startsWith('1.')
    ? brought('yarn', `yarn@${version}`, 'install --frozen-lockfile --production=false')
    : brought('yarn', `@yarnpkg/cli-dist@${version}`, 'install --immutable');
}

/** https://bun.com/docs/pm/cli/install: development packages are omitted only on request. */
function bun(version: string): Manager {
  const { brought: by, ...manager } = brought('bun', `bun@${version}`, 'install --frozen-lockfile');
  // Bun's install script is run explicitly, because npm runs no scripts that are not allowed.
  const place = `node ${MANAGER_FOLDER}/node_modules/bun/install.js`;
  return { ...manager, ...(by && { brought: { ...by, command: `${by.command} && ${place}` } }) };
}
