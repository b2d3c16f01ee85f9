import { createHash } from 'node:crypto';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { INSTALL_SCRIPTS, NPM_CI, NPM_LOCKS } from '../detection/managers.ts';
import { readManifest } from '../detection/manifest.ts';
import { type Engine, type Image, type Labels, partsOf } from '../engine/engine.ts';
import { unlessUsed } from '../engine/unused.ts';
import type { BuildPlan, Step } from '../model/plan.ts';
import { folderInside, readHead } from '../sandbox/folders.ts';
import type { BuildOrder } from './builder.ts';
import type { Named } from './image-names.ts';

// What an application's builds install, as an image that the next one begins with as long as nothing changes that decides it. All
// releases then have it as one layer, which is kept, pushed and brought once.

/** Packages that nothing decides but a few files, so that whoever installs them later has the very same. */
export interface Locked {
  /** What installs them. */
  step: Step;
  /** Of the root's files, by their names. */
  texts: Readonly<Record<string, string>>;
  /** Of all that decides them. */
  key: string;
}

const TAG = 'packages-';
/** Of an application, such as of branches whose lockfiles differ. */
const MOST = 3;
const LARGEST = 8_000_000;
const MANIFEST = 'package.json';
const SETTINGS = '.npmrc';
const DECIDE = [MANIFEST, SETTINGS, ...NPM_LOCKS];
/** With one of these something else may. */
const MORE = ['node_modules', 'binding.gyp'];
/** With npm's own, all that a root may have run as its packages are installed: https://docs.npmjs.com/cli/using-npm/scripts */
const SCRIPTS = [...INSTALL_SCRIPTS, 'prepublish', 'preprepare', 'postprepare', 'dependencies'];
/** Of a package that runs something as it is installed, or is not all in the registry: it may read the rest of the source. */
const IS_MORE = /"(?:hasInstallScript|link)":\s*true|"(?:file:|git\+)/;
/** The first one that tells which packages run something. */
const SAYS_SO = /"lockfileVersion":\s*[23]\b/;
/** Settings that name further files, as they are called in a file and in the environment. */
const NAMES_FILES = /(?:ca|cert|key)file|(?:user|global)config|prefix/i;
const NAMES_FILES_BY = /^(?:npm_config_.*(?:file|config|prefix)|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)$/i;
/** What npm reads of its environment. */
const READ = /^(?:npm_config_.*|NODE_ENV)$/i;

/** undefined where more may decide what is installed. `base`: the id of the image that it is installed on. */
export async function lockedPackages(
  order: Pick<BuildOrder, 'root' | 'variables'> & {
    plan: Pick<BuildPlan, 'steps' | 'node' | 'programs' | 'variables'>;
  },
  { source, base }: { source: string; base: string },
): Promise<Locked | undefined> {
  const { plan, root } = order;
  const [step] = plan.steps;
  const variables = { ...plan.variables, ...order.variables };
  if (step?.command !== NPM_CI || step.at !== undefined) return undefined;
  if (Object.keys(variables).some((name) => NAMES_FILES_BY.test(name))) return undefined;
  const [outer, folder] = await Promise.all([realpath(source), folderInside(source, root)]);
  // It is behind a link.
  if (folder !== join(outer, root)) return undefined;
  const there = new Set(await readdir(folder));
  if (MORE.some((name) => there.has(name))) return undefined;
  const texts: Record<string, string> = {};
  for (const name of DECIDE.filter((one) => there.has(one))) {
    const text = await readHead(join(folder, name), LARGEST);
    // A link, or too large.
    if (text === undefined || Buffer.byteLength(text) >= LARGEST) return undefined;
    texts[name] = text;
  }
  const { [MANIFEST]: manifest, [SETTINGS]: settings = '' } = texts;
  if (NAMES_FILES.test(settings)) return undefined;
  const locks = NPM_LOCKS.flatMap((name) => texts[name] ?? []);
  const areAll = locks.length > 0 && locks.every((lock) => SAYS_SO.test(lock) && !IS_MORE.test(lock));
  if (manifest === undefined || !areAll) return undefined;
  const { scripts, isWorkspace } = readManifest(manifest);
  if (isWorkspace || SCRIPTS.some((name) => scripts[name] !== undefined)) return undefined;
  const counts = (name: string) => settings.includes('${') || READ.test(name);
  const told = Object.entries(variables).filter(([name]) => counts(name));
  const decides = [base, root, plan.node, plan.programs, texts, told.sort()];
  return { step, texts, key: createHash('sha256').update(JSON.stringify(decides)).digest('hex') };
}

export interface CachedPackagesParts {
  engine: Engine;
  /** Of all that is an application's. */
  labelsOf: (applicationId: string) => Labels;
  repositoryOf: (applicationId: string) => string;
  /** Its images that the engine has. */
  madeOf: (applicationId: string, signal: AbortSignal) => Promise<Named[]>;
}

export function createCachedPackages({ engine, labelsOf, repositoryOf, madeOf }: CachedPackagesParts) {
  const nameOf = (applicationId: string, key: string) => `${repositoryOf(applicationId)}:${TAG}${key}`;
  const find = (applicationId: string, { key }: Locked, signal: AbortSignal): Promise<Image | undefined> =>
    engine.image(nameOf(applicationId, key), signal);

  return {
    find,

    /** Keeps what a container has, in which they were installed and nothing else was done. */
    async keep(
      container: string,
      applicationId: string,
      locked: Locked,
      signal: AbortSignal,
    ): Promise<Image> {
      const labels = labelsOf(applicationId);
      const name = nameOf(applicationId, locked.key);
      await engine.commit(container, { ...partsOf(name), config: { Labels: labels } }, signal);
      const made = await find(applicationId, locked, signal);
      if (!made) throw new Error(`${name} is not there`);
      const kept = (await madeOf(applicationId, signal)).filter(({ tag }) => tag.startsWith(TAG));
      const old = kept.sort((a, b) => b.created - a.created).slice(MOST);
      for (const { name } of old) await engine.removeName(name, signal).catch(unlessUsed);
      return made;
    },
  };
}
