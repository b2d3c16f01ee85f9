import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AddressSettings } from '../applications/checked-address.ts';
import { siteFolders } from '../model/site-folders.ts';
import { revisionOf, type SourceRef } from '../model/source-ref.ts';
import { removeTree } from '../sandbox/disk.ts';
import { uuidsIn } from '../sandbox/folders.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type Comparison, comparisonIn } from './changed-files.ts';
import { type Commit, commitIn } from './commit.ts';
import { FetchFailure } from './fetch-failure.ts';
import { type FetchResult, FetchWithSubmodules } from './fetch-with-submodules.ts';
import type { CheckedRepository } from './git-access.ts';
import { type FetchSettings, type HostKeys, RepositoryFetches } from './repository-fetches.ts';
import { createTrash, type Trash } from './trash.ts';

export type CheckoutSettings = FetchSettings & AddressSettings;

export interface CheckoutOrder {
  /** Empty folder into which the commit's files are written. */
  into: string;
  /** Commit, branch or tag to check out; absent: the newest commit of the application's branch. */
  ref?: SourceRef;
  /** Callback that gets additional lines for the build's log. */
  note?: (line: string) => void;
}

/** Repositories of applications, each stored as `<dataDir>/repositories/<application>`. */
export class Checkouts {
  readonly #settings: CheckoutSettings;
  readonly #base: string;
  readonly #trash: Trash;
  readonly #fetches: RepositoryFetches;
  readonly #withLock = createKeyedLock(UNTIL_DONE_MS);

  constructor(settings: CheckoutSettings, sandbox: Sandbox, hostKeyStore: HostKeys, log: Logger) {
    const { repositories, repositoryTrash } = siteFolders(settings.dataDir);
    const trash = createTrash(repositoryTrash, log);
    this.#settings = settings;
    this.#base = repositories;
    this.#trash = trash;
    this.#fetches = new RepositoryFetches({ settings, sandbox, hostKeyStore, base: repositories, trash });
  }

  /**
   * Fetches the commit that `order` names, by default the branch's newest. Its files, including those of submodules, go
   * into an empty folder, without `.git`. `note` receives additional lines for the log. Throws a RuntimeFailure.
   */
  checkOut(
    applicationId: string,
    repository: CheckedRepository,
    order: CheckoutOrder,
    signal: AbortSignal,
  ): Promise<Commit> {
    return this.#withLock(applicationId, () => this.#checkOutAlone(applicationId, repository, order, signal));
  }

  /** Names of the repository's branches; `into` is an empty folder. Throws a RuntimeFailure. */
  branches(
    applicationId: string,
    repository: CheckedRepository,
    into: string,
    signal: AbortSignal,
  ): Promise<string[]> {
    const order = { into, seconds: this.#settings.appsCheckoutSeconds };
    return this.#withLock(applicationId, async () => {
      await mkdir(this.#base, { recursive: true, mode: 0o700 });
      return this.#fetches.branches(applicationId, repository, order, signal).catch(asRuntimeFailure);
    });
  }

  /**
   * Compares the newest commit of the application's branch with the commit `base`; `into` is an empty folder. Throws a
   * RuntimeFailure.
   */
  compare(
    applicationId: string,
    repository: CheckedRepository,
    { base, into }: { base: string; into: string },
    signal: AbortSignal,
  ): Promise<Comparison> {
    const revision = revisionOf(undefined, repository.branch);
    const order = { revision, base, into, seconds: this.#settings.appsCheckoutSeconds };
    return this.#withLock(applicationId, async () => {
      await mkdir(this.#base, { recursive: true, mode: 0o700 });
      const comparing = this.#fetches.compare(applicationId, repository, order, signal);
      return comparisonIn(await comparing.catch(asRuntimeFailure));
    });
  }

  /** Begins to remove keys and other folders that a previous run of the server left behind. */
  async recover(signal: AbortSignal): Promise<void> {
    await this.#trash.sweep();
    await this.#fetches.recover(signal);
  }

  forget(applicationId: string, signal: AbortSignal): Promise<void> {
    return this.#trash.discard(this.#fetches.folderOf(applicationId), signal);
  }

  /** Applications with a stored repository. */
  applications() {
    return uuidsIn(this.#base);
  }

  /** Stops the removal of old folders; the next run of the server removes the rest. */
  close(): Promise<void> {
    return this.#trash.close();
  }

  async #checkOutAlone(
    applicationId: string,
    repository: CheckedRepository,
    { into, ref, note }: CheckoutOrder,
    signal: AbortSignal,
  ): Promise<Commit> {
    const revision = revisionOf(ref, repository.branch);
    const fetch = () => {
      const parts = { settings: this.#settings, fetches: this.#fetches, applicationId, into, signal };
      return new FetchWithSubmodules({ ...parts, main: repository }).run(revision);
    };
    const { output, notes } = await this.#withRetry(applicationId, into, fetch, signal);
    for (const line of notes) note?.(line);
    return commitIn(output);
  }

  /**
   * Repeats a failed fetch with an empty repository, if the stored one may be the reason: it may be broken, locked by a
   * git that was killed, or too large.
   */
  async #withRetry(
    applicationId: string,
    into: string,
    fetch: () => Promise<FetchResult>,
    signal: AbortSignal,
  ): Promise<FetchResult> {
    const folder = this.#fetches.folderOf(applicationId);
    const isNew = !existsSync(folder);
    await mkdir(this.#base, { recursive: true, mode: 0o700 });
    try {
      return await fetch();
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      if (!error.isCertain) await this.#trash.discard(folder, signal);
      if (isNew || error.isCertain) throw error.failure;
      await removeTree(into);
      await mkdir(into, { mode: 0o700 });
      return await fetch().catch(asRuntimeFailure);
    }
  }
}

function asRuntimeFailure(error: unknown): never {
  throw error instanceof FetchFailure ? error.failure : error;
}
