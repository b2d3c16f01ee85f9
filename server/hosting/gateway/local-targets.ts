import type { BackendLocation } from '../model/backend-location.ts';
import type { BuildName } from '../model/site-folders.ts';
import { keyOfTarget, type Target } from './backend.ts';
import type { RoutingRow } from './routing-rows.ts';

/** Files of builds on this machine's disk. */
export interface SiteFiles {
  folderOf(build: BuildName): string;
  /**
   * Copies of files from other machines of a cluster. Undefined if the files of builds stay on the machine that made
   * them.
   */
  copies?: {
    isHere(build: BuildName): boolean;
    /** Copies a build to this machine; false if that is not possible now. */
    bring(build: BuildName): Promise<boolean>;
    /** Tells which builds are served now; copies of all other builds may be deleted from this machine. */
    keep(builds: readonly BuildName[]): void;
  };
}

export interface LocalTargetsParts {
  /** Identity of this machine. */
  machine: string;
  files: SiteFiles;
  /** Called when the files of an environment's build have arrived on this machine. */
  onCopied(environmentId: string): void;
}

/** Addresses or files (targets) to which this machine sends the sites' requests. */
export class LocalTargets {
  readonly #machine: string;
  readonly #files: SiteFiles;
  readonly #onCopied: (environmentId: string) => void;
  /** Locations to which each instance's requests went when the database was last read, by environment and instance. */
  readonly #former = new Map<string, ReadonlyMap<string, readonly BackendLocation[]>>();

  constructor({ machine, files, onCopied }: LocalTargetsParts) {
    this.#machine = machine;
    this.#files = files;
    this.#onCopied = onCopied;
  }

  /**
   * Converts a location in the database, which any machine understands, to the target that this machine sends requests
   * to.
   */
  targetAt(location: BackendLocation): Target {
    if (location.kind === 'server') return location;
    const folder = this.#files.folderOf(location);
    return { kind: 'static', folder, ...(location.spa && { spa: location.spa }) };
  }

  /** Targets of the site that this gateway can reach directly. Missing files are copied to this machine meanwhile. */
  reachableOf(row: RoutingRow): Target[] {
    return row.serving.flatMap(({ targets }) =>
      targets
        .filter((location) => this.#isReachable(location, row))
        .map((location) => this.targetAt(location)),
    );
  }

  /**
   * Targets that an instance of a site had when the database was last read, and that the instance no longer has, though
   * it still serves. These targets count as lost, and open requests to them are ended.
   */
  takeMissing({ environment_id: id, serving }: RoutingRow): Target[] {
    const before = this.#former.get(id);
    const missing = serving.flatMap(({ id: instance, targets }) => {
      const present = new Set(targets.map((location) => keyOfTarget(this.targetAt(location))));
      return (before?.get(instance) ?? [])
        .map((location) => this.targetAt(location))
        .filter((target) => !present.has(keyOfTarget(target)));
    });
    if (serving.length > 0) this.#former.set(id, new Map(serving.map((one) => [one.id, one.targets])));
    else this.#former.delete(id);
    return missing;
  }

  forget(environmentId: string): void {
    this.#former.delete(environmentId);
  }

  /** Allows the deletion of all copies of files that these environments do not use. */
  keepCopies(all: readonly RoutingRow[]): void {
    this.#files.copies?.keep(all.flatMap(buildsOf));
  }

  #isReachable(location: BackendLocation, row: RoutingRow): boolean {
    const isOnThisMachine = row.machine === this.#machine;
    if (location.kind === 'server') return isOnThisMachine || row.is_clustered === true;
    const { copies } = this.#files;
    if (!copies) return isOnThisMachine;
    const isHere = copies.isHere(location);
    if (!isHere) void this.#copyFiles(row.environment_id, location);
    return isHere;
  }

  async #copyFiles(environmentId: string, build: BuildName): Promise<void> {
    if (await this.#files.copies?.bring(build)) this.#onCopied(environmentId);
  }
}

function buildsOf({ serving }: RoutingRow): BuildName[] {
  return serving.flatMap(({ targets }) => targets.filter((location) => location.kind === 'files'));
}
