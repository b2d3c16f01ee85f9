import { createHash } from 'node:crypto';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { INSTALL_SCRIPTS, NPM_CI, NPM_LOCKS } from '../detection/managers.ts';
import { readManifest } from '../detection/manifest.ts';
import type { Engine } from '../engine/engine.ts';
import { type Image, splitImageName } from '../engine/image-calls.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import type { Labels } from '../engine/labels.ts';
import type { BuildPlan, Step } from '../model/plan.ts';
import { folderInside, readHead } from '../sandbox/folders.ts';
import type { BuildOrder } from './builder.ts';
import type { NamedImage } from './image-names.ts';

// Cached packages: the installed packages of an application, as an image from which its next builds start, as long as
// the files that decide the packages are unchanged. All releases then share the packages as one layer, which is stored,
// pushed and pulled once.

/** Packages that are decided by a few files alone, so that a later installation gives exactly the same result. */
export interface LockedPackages {
  /** Build step that installs the packages. */
  step: Step;
  /** Contents of the files that decide which packages are installed, by file name in the application's root. */
  texts: Readonly<Record<string, string>>;
  /** Hash of everything that decides which packages are installed. */
  key: string;
}

const TAG = 'packages-';
/** Maximum number of cached images for each application, for instance for branches with different lockfiles. */
const MOST = 3;
const LARGEST = 8_000_000;
const MANIFEST = 'package.json';
const SETTINGS = '.npmrc';
const INPUT_FILES = [MANIFEST, SETTINGS, ...NPM_LOCKS];
/** Names of files that make the installation of packages depend on further files. */
const OTHER_INPUTS = ['node_modules', 'binding.gyp'];
/**
 * Names of scripts in an application's package.json that npm may run during installation, including npm's own:
 * https://docs.npmjs.com/cli/using-npm/scripts
 */
const SCRIPTS = [...INSTALL_SCRIPTS, 'prepublish', 'preprepare', 'postprepare', 'dependencies'];
/**
 * Pattern in a lockfile for a package that runs a script during installation or is not from the registry: it may read
 * the rest of the source.
 */
const HAS_OTHER_INPUTS = /"(?:hasInstallScript|link)":\s*true|"(?:file:|git\+)/;
/** Pattern for versions of npm's lockfile that say which packages run install scripts. */
const HAS_SCRIPT_FLAGS = /"lockfileVersion":\s*[23]\b/;
/** Settings of npm that name further files, as spelled in its settings file and in environment variables. */
const NAMES_FILES = /(?:ca|cert|key)file|(?:user|global)config|prefix/i;
const NAMES_FILES_BY = /^(?:npm_config_.*(?:file|config|prefix)|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)$/i;
/** Pattern for names of environment variables that npm reads. */
const READ_BY_NPM = /^(?:npm_config_.*|NODE_ENV)$/i;

/**
 * Packages that can be cached; undefined if other files may influence the installation. `base`: id of the image that
 * they are installed on.
 */
export async function lockedPackages(
  order: Pick<BuildOrder, 'root' | 'variables'> & {
    plan: Pick<BuildPlan, 'steps' | 'node' | 'programs' | 'variables'>;
  },
  { source, base }: { source: string; base: string },
): Promise<LockedPackages | undefined> {
  const { plan, root } = order;
  const [step] = plan.steps;
  const variables = { ...plan.variables, ...order.variables };
  if (step?.command !== NPM_CI || step.at !== undefined) return undefined;
  if (Object.keys(variables).some((name) => NAMES_FILES_BY.test(name))) return undefined;
  const [outer, folder] = await Promise.all([realpath(source), folderInside(source, root)]);
  // Packages are not cached if a symbolic link leads to the application's root: its files may be anywhere.
  if (folder !== join(outer, root)) return undefined;
  const names = new Set(await readdir(folder));
  if (OTHER_INPUTS.some((name) => names.has(name))) return undefined;
  const texts: Record<string, string> = {};
  for (const name of INPUT_FILES.filter((one) => names.has(one))) {
    const text = await readHead(join(folder, name), LARGEST);
    // Packages are not cached if one of the files that decide them is a link or too large.
    if (text === undefined || Buffer.byteLength(text) >= LARGEST) return undefined;
    texts[name] = text;
  }
  const { [MANIFEST]: manifest, [SETTINGS]: settings = '' } = texts;
  if (NAMES_FILES.test(settings)) return undefined;
  const locks = NPM_LOCKS.flatMap((name) => texts[name] ?? []);
  const areComplete =
    locks.length > 0 && locks.every((lock) => HAS_SCRIPT_FLAGS.test(lock) && !HAS_OTHER_INPUTS.test(lock));
  if (manifest === undefined || !areComplete) return undefined;
  const { scripts, isWorkspace } = readManifest(manifest);
  if (isWorkspace || SCRIPTS.some((name) => scripts[name] !== undefined)) return undefined;
  const isRelevant = (name: string) => settings.includes('${') || READ_BY_NPM.test(name);
  const relevantVariables = Object.entries(variables).filter(([name]) => isRelevant(name));
  const inputs = [base, root, plan.node, plan.programs, texts, relevantVariables.sort()];
  return { step, texts, key: createHash('sha256').update(JSON.stringify(inputs)).digest('hex') };
}

export interface CachedPackagesParts {
  engine: Engine;
  /** Labels of every engine object that belongs to an application. */
  labelsOf: (applicationId: string) => Labels;
  repositoryOf: (applicationId: string) => string;
  /** Images of an application in the engine. */
  imagesOf: (applicationId: string, signal: AbortSignal) => Promise<NamedImage[]>;
}

export type CachedPackages = ReturnType<typeof createCachedPackages>;

export function createCachedPackages({ engine, labelsOf, repositoryOf, imagesOf }: CachedPackagesParts) {
  const nameOf = (applicationId: string, key: string) => `${repositoryOf(applicationId)}:${TAG}${key}`;
  const find = (
    applicationId: string,
    { key }: LockedPackages,
    signal: AbortSignal,
  ): Promise<Image | undefined> => engine.image(nameOf(applicationId, key), signal);

  return {
    find,

    /** Saves a container as an image with the cached packages; nothing else was installed in that container. */
    async save(
      container: string,
      applicationId: string,
      locked: LockedPackages,
      signal: AbortSignal,
    ): Promise<Image> {
      const labels = labelsOf(applicationId);
      const name = nameOf(applicationId, locked.key);
      await engine.commit(container, { ...splitImageName(name), config: { Labels: labels } }, signal);
      const made = await find(applicationId, locked, signal);
      if (!made) throw new Error(`${name} is not there`);
      const cachedImages = (await imagesOf(applicationId, signal)).filter(({ tag }) => tag.startsWith(TAG));
      const old = cachedImages.sort((a, b) => b.created - a.created).slice(MOST);
      for (const { name } of old) await engine.removeName(name, signal).catch(ignoreInUse);
      return made;
    },
  };
}
