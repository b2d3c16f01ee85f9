import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';

/** How a source becomes a site, as plain data. Commands are the site's own, for a shell of its own. */
export interface Plan {
  build: BuildPlan;
  run: RunPlan;
}

/** What has to be run to make a build of a source. A source of another commit, or another one of these, is another build. */
export interface BuildPlan {
  kind: 'server' | 'static';
  steps: readonly Step[];
  /** Where the files of a static site are: the first of these folders that has an index page. */
  publish: readonly string[];
}

/** How a build is run. Another one needs no other build. */
export interface RunPlan {
  /** Commands by the names of processes; a static site has none. */
  processes: Readonly<Record<string, string>>;
  /** Run once before a release takes the traffic, which it gets only where this succeeds. */
  release?: string;
  /** What is run at its times. */
  cron?: readonly CronJob[];
}

export interface CronJob {
  name: string;
  /** Five fields, or a name such as `@daily`. */
  schedule: string;
  command: string;
}

export interface Step {
  name: 'install' | 'build';
  command: string;
}

/** What the owner set for the application in place of what we would find. */
export interface PlanSettings {
  build?: string | null;
  start?: string | null;
}

/** The part of a source that decides. `files` are paths of files below the root, at most one folder deep. */
export interface Source {
  files: ReadonlySet<string>;
  packageJson: string | undefined;
  procfile: string | undefined;
}

/** The process that takes a site's requests. */
export const WEB = 'web';

/** Where builds put a finished site. */
export const BUILT_FOLDERS = ['dist', 'build', 'out', 'public'] as const;

/** How a source becomes a site. Throws a RuntimeFailure that says what was looked for. */
export function planOf(source: Source, settings: PlanSettings): Plan {
  const manifest = source.packageJson === undefined ? undefined : manifestOf(source.packageJson);
  const manager = manifest && managerOf(source.files, manifest);
  const install = manifest && manager && installs(source.files, manifest) ? manager.install : undefined;
  const build = settings.build || (manager && manifest?.scripts.build !== undefined && manager.run('build'));
  const steps: Step[] = [
    ...(install ? [{ name: 'install' as const, command: install }] : []),
    ...(build ? [{ name: 'build' as const, command: build }] : []),
  ];

  const start =
    settings.start ||
    (source.procfile !== undefined && webProcess(source.procfile)) ||
    (manifest && manager && startScript(source.files, manifest, manager));
  for (const command of [...steps.map((step) => step.command), start]) if (command) refuseUnusable(command);
  if (start) return { build: { kind: 'server', steps, publish: [] }, run: { processes: { [WEB]: start } } };

  const folders = build ? [...BUILT_FOLDERS, ''] : ['', ...BUILT_FOLDERS];
  if (!build && folderWithIndex(folders, (path) => source.files.has(path)) === undefined) {
    const missing = manifest ? 'nothing_found_in_package' : 'nothing_found';
    throw new RuntimeFailure(reason(missing, { folders: BUILT_FOLDERS.join(', ') }));
  }
  return { build: { kind: 'static', steps, publish: folders }, run: { processes: {} } };
}

const LONGEST_COMMAND = 10_000;
const SHOWN_OF_COMMAND = 60;

/** What no shell can be handed: Linux takes no argument over 128 KiB. */
function refuseUnusable(command: string): void {
  if (command.length <= LONGEST_COMMAND && !command.includes('\0')) return;
  const shown = command.length > SHOWN_OF_COMMAND ? `${command.slice(0, SHOWN_OF_COMMAND)}…` : command;
  throw new RuntimeFailure(reason('unusable_command', { command: shown, most: LONGEST_COMMAND }));
}

/** The first of the folders that has an index page. */
export function folderWithIndex(
  folders: readonly string[],
  has: (path: string) => boolean,
): string | undefined {
  return folders.find((folder) => has(folder ? `${folder}/index.html` : 'index.html'));
}

interface Manifest {
  scripts: Readonly<Record<string, string>>;
  packageManager: string;
  hasDependencies: boolean;
}

interface Manager {
  install: string;
  run(script: string): string;
}

function manifestOf(text: string): Manifest {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new RuntimeFailure(reason('broken_manifest', { error: (error as Error).message }));
  }
  if (!isObject(parsed)) throw new RuntimeFailure(reason('manifest_no_object'));
  const scripts = Object.entries(isObject(parsed.scripts) ? parsed.scripts : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
  );
  const dependencies = [parsed.dependencies, parsed.devDependencies, parsed.optionalDependencies];
  return {
    scripts: Object.fromEntries(scripts),
    packageManager: typeof parsed.packageManager === 'string' ? parsed.packageManager : '',
    hasDependencies:
      dependencies.some((one) => isObject(one) && Object.keys(one).length > 0) ||
      parsed.workspaces !== undefined,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NPM_LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'];
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];

function installs(files: ReadonlySet<string>, { hasDependencies, scripts }: Manifest): boolean {
  return (
    hasDependencies ||
    INSTALL_SCRIPTS.some((name) => scripts[name] !== undefined) ||
    files.has('pnpm-workspace.yaml')
  );
}

/** NODE_ENV is `production` in builds, which by itself would leave out what a build needs. */
function managerOf(files: ReadonlySet<string>, { packageManager }: Manifest): Manager {
  const [, named = '', version = ''] = /^(\w+)@([\w.-]+)/.exec(packageManager) ?? [];
  const pinned = (name: string, fallback: string) => (named === name && version ? version : fallback);
  if (NPM_LOCKS.some((lock) => files.has(lock))) {
    return { install: 'npm ci --include=dev', run: (script) => `npm run ${script}` };
  }
  if (files.has('pnpm-lock.yaml')) {
    const pnpm = `npx --yes pnpm@${pinned('pnpm', '10')}`;
    return {
      install: `${pnpm} install --frozen-lockfile --prod=false`,
      run: (script) => `${pnpm} run ${script}`,
    };
  }
  if (files.has('yarn.lock')) return yarn(pinned('yarn', '1.22.22'));
  if (files.has('bun.lock') || files.has('bun.lockb')) throw new RuntimeFailure(reason('no_bun'));
  return {
    install: 'npm install --include=dev --no-package-lock',
    run: (script) => `npm run ${script}`,
  };
}

/** From its second major on, yarn is published under another name and speaks otherwise. */
function yarn(version: string): Manager {
  const classic = version.startsWith('1.');
  const command = classic ? `npx --yes yarn@${version}` : `npx --yes @yarnpkg/cli-dist@${version}`;
  const install = classic ? 'install --frozen-lockfile --production=false' : 'install --immutable';
  return { install: `${command} ${install}`, run: (script) => `${command} run ${script}` };
}

/** The script itself where nothing stands around it: a package manager that waits beside a site takes 60 MB. */
function startScript(
  files: ReadonlySet<string>,
  { scripts }: Manifest,
  manager: Manager,
): string | undefined {
  if (scripts.start === undefined) return files.has('server.js') ? 'node server.js' : undefined;
  return scripts.prestart === undefined && scripts.poststart === undefined
    ? scripts.start
    : manager.run('start');
}

function webProcess(procfile: string): string | undefined {
  return /^web:[ \t]*(\S.*?)[ \t]*$/m.exec(procfile.replaceAll('\r\n', '\n'))?.[1];
}
