import { join } from 'node:path';
import { type AddressSettings, checkedAddress } from '../applications/checked-address.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { isAbbreviated } from '../model/source-ref.ts';
import { readHead } from '../sandbox/folders.ts';
import { wrapSubmoduleError } from './fetch-failure.ts';
import type { CheckedRepository } from './git-access.ts';
import { lfsPointersIn } from './lfs-pointers.ts';
import { messages } from './messages.ts';
import type { FetchOrder, RepositoryFetches } from './repository-fetches.ts';
import { byHttpsLike, gitlinksIn, MOST_SUBMODULES, submoduleAddress, submoduleUrls } from './submodules.ts';

/**
 * Git ref for the application's fetched commit. The ref is not a branch, because a branch can't point to an annotated
 * tag.
 */
const SITE = 'refs/site/checkout';
const SUBMODULES = 'refs/submodules';

/** Fetched repository that may name submodules. */
interface Origin {
  address: string;
  /**
   * True if this repository, and each repository on the way to it from the application's, is on the same server as the
   * application's. Submodules that this repository names may then use the application's credentials.
   */
  hasOwnersAccess: boolean;
}

interface Submodule {
  path: string;
  hash: string;
  /** Address of the submodule; undefined if no `.gitmodules` entry names one. */
  url: string | undefined;
  /** Repository that names the submodule. */
  from: Origin;
}

export interface FetchResult {
  /** Output of git, with the commit's hash and the first line of its message. */
  output: string;
  /** Notes for the build's log, for instance about submodules. */
  notes: string[];
}

export interface FetchWithSubmodulesParts {
  settings: AddressSettings & { appsCheckoutSeconds: number };
  fetches: RepositoryFetches;
  applicationId: string;
  /** Repository of the application. */
  main: CheckedRepository;
  into: string;
  signal: AbortSignal;
}

/** Fetch of an application's repository with all nested submodules, under one time limit. */
export class FetchWithSubmodules {
  readonly #parts: FetchWithSubmodulesParts;
  readonly #deadline: number;
  readonly #notes: string[] = [];
  /** Paths of files whose content is stored by Git LFS, and was not fetched. */
  readonly #lfsPointers: string[] = [];
  readonly #waiting: Submodule[] = [];
  /** Number of submodules that were fetched, or are being fetched. */
  #submodules = 0;

  constructor(parts: FetchWithSubmodulesParts) {
    this.#parts = parts;
    this.#deadline = performance.now() + parts.settings.appsCheckoutSeconds * 1_000;
  }

  /**
   * Fetches a branch, a tag or a commit of the repository; the commit's hash may be abbreviated. Throws a FetchFailure
   * or a RuntimeFailure.
   */
  async run(revision: string): Promise<FetchResult> {
    const { settings, main, into } = this.#parts;
    const found = isAbbreviated(revision) ? await this.#findCommit(revision) : revision;
    const seconds = found === revision ? settings.appsCheckoutSeconds : this.#secondsLeft();
    const order = { revision: found, ref: SITE, into, below: '', seconds };
    const output = await this.#fetch(main, order, { address: main.address, hasOwnersAccess: true });
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await this.#fetchSubmodule(next);
    }
    if (this.#lfsPointers.length > 0) this.#notes.push(messages.lfsPointers(this.#lfsPointers));
    return { output, notes: this.#notes };
  }

  async #fetchSubmodule({ path, hash, url, from }: Submodule): Promise<void> {
    if (url === undefined) {
      this.#notes.push(messages.submoduleUnknown(path));
      return;
    }
    this.#submodules += 1;
    if (this.#submodules > MOST_SUBMODULES)
      throw new RuntimeFailure(reason('too_many_submodules', { most: MOST_SUBMODULES }));
    const seconds = this.#secondsLeft();
    const ref = `${SUBMODULES}/${this.#submodules}`;
    try {
      const repository = await this.#submoduleRepository(url, from);
      const order = { revision: hash, ref, into: this.#parts.into, below: path, seconds };
      await this.#fetch(repository, order, repository);
      this.#notes.push(messages.submodule(path, hash, repository.address));
    } catch (error) {
      throw wrapSubmoduleError(path, error);
    }
  }

  #secondsLeft(): number {
    return Math.max(1, Math.round((this.#deadline - performance.now()) / 1_000));
  }

  /** Full hash of the commit of the application's repository whose hash begins with `start`. */
  #findCommit(start: string): Promise<string> {
    const { fetches, applicationId, main, into, signal } = this.#parts;
    const search = { start, into, seconds: this.#secondsLeft() };
    return fetches.findCommit(applicationId, main, search, signal);
  }

  /** Fetches one repository, and notes its LFS pointers and the submodules that it names. */
  async #fetch(repository: CheckedRepository, order: FetchOrder, origin: Origin): Promise<string> {
    const { fetches, applicationId, signal } = this.#parts;
    const output = await fetches.fetch(applicationId, repository, order, signal);
    for (const pointer of await lfsPointersIn(join(order.into, order.below), output))
      this.#lfsPointers.push(join(order.below, pointer));
    this.#waiting.push(...(await submodulesIn(order, origin, output)));
    return output;
  }

  /**
   * Checks a submodule's address by the rules for an application's. A submodule on the same server gets the
   * application's credentials, unless a repository on another server names it: that repository's owner has no say in
   * what the application's owner may read.
   */
  async #submoduleRepository(url: string, from: Origin): Promise<CheckedRepository & Origin> {
    const { main, settings } = this.#parts;
    const checked = await checkedAddress(byHttpsLike(main, submoduleAddress(url, from.address)), settings);
    const hasOwnersAccess =
      from.hasOwnersAccess &&
      (['protocol', 'host', 'port'] as const).every((part) => checked[part] === main[part]);
    return {
      ...checked,
      hasOwnersAccess,
      branch: null,
      credentials: checked.credentials ?? (hasOwnersAccess ? main.credentials : undefined),
      privateKey: hasOwnersAccess ? main.privateKey : undefined,
    };
  }
}

/** Submodules of a commit that was fetched into a folder. */
async function submodulesIn(
  { into, below }: Pick<FetchOrder, 'into' | 'below'>,
  from: Origin,
  output: string,
): Promise<Submodule[]> {
  const links = gitlinksIn(output);
  if (links.length === 0) return [];
  const urls = submoduleUrls((await readHead(join(into, below, '.gitmodules'))) ?? '');
  return links.map(({ path, hash }) => ({
    hash,
    path: join(below, path),
    from,
    url: urls.get(path),
  }));
}
