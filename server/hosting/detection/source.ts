import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Source, Workspace } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { folderInside, readHead } from '../sandbox/folders.ts';
import { furtherFiles, INHERITED_FILES } from './further-files.ts';
import { isGoFile } from './languages/go.ts';
import { CROWDED_FOLDERS, ENTRY_FOLDERS, LANGUAGE_TEXTS } from './languages.ts';
import { TOOL_VERSIONS, VERSION_FILES } from './node-version.ts';
import { PLAN_FILE } from './plan-file.ts';
import { BUILT_FOLDERS } from './planner.ts';
import { PLATFORM_FILES } from './platform-files.ts';
import { templateMark } from './unbuilt.ts';
import { APPLICATION_FILES } from './unsupported-sources.ts';
import { foldersAround, isLocked, isLockedBy } from './workspace.ts';

const RELEVANT_FILES: ReadonlySet<string> = new Set([
  'package.json',
  'Procfile',
  PLAN_FILE,
  'angular.json',
  'project.json',
  'pnpm-workspace.yaml',
  ...VERSION_FILES,
  TOOL_VERSIONS,
  ...PLATFORM_FILES,
  ...['', ...BUILT_FOLDERS].map((folder) => join(folder, 'index.html')),
]);
/** Pattern for names of frameworks' settings files, such as `next.config.ts`. */
const SETTINGS = /^[a-z][a-z0-9.-]*\.config\.[cm]?[jt]s$/;
const MOST_SETTINGS = 30;
/** Names of folders that contain a folder for each application of a repository. */
const OF_APPLICATIONS = new Set(['apps', 'packages', 'services']);
const MOST_FOLDERS = 60;
/** Maximum depth below the root at which pages are searched for. */
const DEEPEST_PAGE = 4;
const MOST_FOUND = 5;

/**
 * Reads the files of a checkout that determine the plan for the site in its `root`. Links are not followed, because
 * they may lead anywhere. Throws RuntimeFailure if the folder does not exist.
 */
export async function readSource(checkout: string, root = ''): Promise<Source> {
  const inherited = await inheritedFiles(checkout, root);
  const source = { ...(await look(await folderInside(checkout, root))), ...(inherited && { inherited }) };
  if (isLocked(source)) return source;
  for (const at of foldersAround(root)) {
    const workspace: Workspace = { at, ...(await look(await folderInside(checkout, at))) };
    if (isLockedBy(workspace, root)) return { ...source, workspace };
  }
  return source;
}

/** Lockfiles of workspaces around the root; undefined if there are none. */
async function inheritedFiles(checkout: string, root: string): Promise<Source['inherited']> {
  const found = new Set<string>();
  for (const at of foldersAround(root)) {
    const names = (await entriesOf(checkout, at)).filter((one) => one.isFile()).map(({ name }) => name);
    for (const { file, manifest, isWorkspace } of INHERITED_FILES) {
      if (!names.includes(file) || !names.includes(manifest)) continue;
      const text = await readHead(join(await folderInside(checkout, at), manifest));
      if (isWorkspace(text)) found.add(file);
    }
  }
  return found.size > 0 ? found : undefined;
}

async function look(folder: string): Promise<Source> {
  const [root, ...inner] = await Promise.all(
    ['', ...BUILT_FOLDERS, ...ENTRY_FOLDERS, ...CROWDED_FOLDERS].map(async (below) => {
      const entries = await entriesOf(folder, below);
      const named = (those: readonly Dirent[]) => those.map(({ name }) => join(below, name));
      return {
        files: named(entries.filter((one) => one.isFile())),
        folders: named(entries.filter((one) => one.isDirectory())),
      };
    }),
  );
  const { files: own = [], folders = [] } = root ?? {};
  const applications = await applicationsBelow(folder, folders);
  const below = inner.flatMap(({ files }) => files);
  const relevant = [
    ...[...own, ...below].filter((name) => RELEVANT_FILES.has(name) || LANGUAGE_TEXTS.has(name)),
    ...[SETTINGS.test.bind(SETTINGS), isGoFile].flatMap((isOne) =>
      own.filter(isOne).sort().slice(0, MOST_SETTINGS),
    ),
  ];
  const texts = await textsOf(folder, relevant);
  const further = await furtherParts(folder, texts);
  return {
    files: new Set([...own, ...below, ...applications, ...further.files]),
    folders: new Set([...folders, ...inner.flatMap((one) => one.folders), ...further.folders]),
    texts: { ...further.texts, ...texts },
  };
}

/** Contents of files in a folder, by path; links are not followed. */
async function textsOf(folder: string, paths: readonly string[]): Promise<Record<string, string>> {
  const texts = await Promise.all(
    paths.map(async (path) => {
      const inside = await folderInside(folder, dirname(path)).catch(() => undefined);
      return [path, inside && (await readHead(join(inside, basename(path))))] as const;
    }),
  );
  return Object.fromEntries(texts.filter((one): one is [string, string] => one[1] !== undefined));
}

/** Parts of a source that its files lead to. */
async function furtherParts(folder: string, given: Source['texts']): Promise<Source> {
  const { texts, packages } = furtherFiles(given);
  const patterns = await Promise.all(packages.map((pattern) => matching(folder, pattern)));
  const members = patterns.flat().slice(0, MOST_FOLDERS);
  const listed = await Promise.all(
    members
      .flatMap((member) => ['src', 'src/bin'].map((below) => join(member, below)))
      .map(async (below) =>
        (await entriesOf(folder, below)).map((entry) => ({ entry, path: join(below, entry.name) })),
      ),
  );
  const entries = listed.flat();
  return {
    files: new Set(entries.filter(({ entry }) => entry.isFile()).map(({ path }) => path)),
    folders: new Set(entries.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path)),
    texts: await textsOf(folder, [...texts, ...members.map((member) => join(member, 'Cargo.toml'))]),
  };
}

/** Files in subfolders that indicate an application; the message of a failure names them. */
async function applicationsBelow(folder: string, folders: readonly string[]): Promise<string[]> {
  const isOne = (name: string) => !name.startsWith('.') && name !== 'node_modules';
  const inner = await Promise.all(
    folders
      .filter((name) => OF_APPLICATIONS.has(name))
      .map(async (name) =>
        (await entriesOf(folder, name)).filter((one) => one.isDirectory()).map((one) => join(name, one.name)),
      ),
  );
  const folderPaths = [...folders.filter(isOne), ...inner.flat()].sort().slice(0, MOST_FOLDERS);
  const files = await Promise.all(
    folderPaths.map(async (folderPath) =>
      (await entriesOf(folder, folderPath))
        .filter((one) => one.isFile() && APPLICATION_FILES.has(one.name))
        .map(({ name }) => join(folderPath, name)),
    ),
  );
  return files.flat();
}

/**
 * First of a build's folders with an index page; `*` stands for any single folder. Links that lead out of the build are
 * ignored.
 */
export async function publishedFolder(root: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    for (const one of await matching(root, folder)) {
      const names = (await entriesOf(root, one)).filter((entry) => entry.isFile()).map(({ name }) => name);
      if (PAGES.some((page) => names.includes(page))) return one;
    }
  }
  return undefined;
}

/** Failure when no folder has a page to publish. `found`: other folders with a page. */
export function noPageIn(folders: readonly string[], found: readonly string[]): RuntimeFailure {
  const named = folders.filter((one) => one !== '');
  const root = named.length < folders.length ? 1 : 0;
  const [first] = found;
  const hint = first !== undefined && {
    hint: reason('pages_in', { folders: found.slice(0, MOST_FOUND).join(', '), first }),
  };
  return new RuntimeFailure(reason('no_index', { folders: named.join(', '), root, ...hint }));
}

/** Folders of a build with an index page, the nearest to the root first. */
export async function foldersWithPages(root: string): Promise<string[]> {
  const found: string[] = [];
  let level = [''];
  for (let depth = 0; depth <= DEEPEST_PAGE && found.length < MOST_FOUND; depth += 1) {
    const next: string[] = [];
    for (const folder of level.slice(0, MOST_FOLDERS)) {
      const entries = await entriesOf(root, folder);
      const page = entries.find((one) => one.isFile() && PAGES.includes(one.name));
      const text = page && (await readHead(join(root, folder, page.name)));
      if (text !== undefined && templateMark(text) === undefined && folder !== '') found.push(folder);
      const inner = entries.filter(
        (one) => one.isDirectory() && !one.name.startsWith('.') && one.name !== 'node_modules',
      );
      next.push(...inner.map(({ name }) => join(folder, name)));
    }
    level = next.sort();
  }
  return found;
}

/** `200.html` answers every path of some single-page apps: https://svelte.dev/docs/kit/single-page-apps. */
export const PAGES = ['index.html', '200.html'];

async function matching(root: string, folder: string): Promise<string[]> {
  const [before, after] = folder.split('*');
  if (before === undefined || after === undefined) return [folder];
  const entries = await entriesOf(root, before);
  return entries
    .filter((one) => one.isDirectory())
    .map(({ name }) => `${before}${name}${after}`)
    .sort();
}

/** Entries of a folder; empty if it does not exist, can't be read, or lies outside `folder`. */
async function entriesOf(folder: string, below: string): Promise<Dirent[]> {
  try {
    return await readdir(await folderInside(folder, below), { withFileTypes: true });
  } catch {
    return [];
  }
}
