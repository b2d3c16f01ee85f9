import type { Kysely } from 'kysely';
import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import type { BackendLocation } from '../model/backend-location.ts';
import type { Target } from './backend.ts';
import { HostLookup } from './host-lookup.ts';
import { LeaseWatch } from './lease-watch.ts';
import { LocalTargets, type SiteFiles } from './local-targets.ts';
import { NOTED_MS, type PreviewActivity, PreviewTracker } from './preview-tracker.ts';
import {
  type DrainingInstance,
  findEnvironments,
  forgetGateways,
  type RoutingRow,
  readDrainingInstances,
  readRoutingRows,
  recordDrained,
  recordHeartbeat,
  removeGateway,
} from './routing-rows.ts';
import type { RoutingTable, SiteSettings } from './routing-table.ts';
import { RuleCache } from './rule-cache.ts';
import { stateOfSite } from './site-state.ts';

export interface TableSyncParts {
  db: Kysely<unknown>;
  sites: RoutingTable;
  appsDomain: string;
  /** Identity of this machine; targets on its disk or loopback address are reachable only here. */
  machine: string;
  files: SiteFiles;
  /**
   * Subscribes to notifications of changed environments (`onChange`), and of moments after which notifications may be
   * missing (`onGap`).
   */
  follow: (handlers: { onChange: (environmentId: string) => void; onGap: () => void }) => () => void;
  drainMs: number;
  previews: PreviewActivity;
  /** Interval at which all environments are read, independent of notifications. */
  lookMs?: number;
  /** Time after the lease's end after which the sites count as run by no server. */
  unhostedMs?: number;
  /** Interval at which this gateway is recorded as running, and the lease is read. */
  heartbeatMs?: number;
  /** Time before the lease's end at which its renewal counts as late. */
  lateMs?: number;
  log: Logger;
}

const LOOK_MS = 15_000;
const HEARTBEAT_MS = 3_000;
const UNHOSTED_MS = 15_000;
/** Default of `lateMs`: the lease (controller/lease.ts) is renewed every 2 s, and then lasts for 10 s. */
const LATE_MS = 5_000;
/** Minimum time between two reads of changed environments from the database. */
const TOGETHER_MS = 20;

interface Serving extends Required<Pick<SiteSettings, 'sticky' | 'isPreview'>> {
  host: string;
  targets: readonly BackendLocation[];
}

/**
 * Keeps the gateway's routing table in line with the database. It is the only writer of the table, on every server.
 * When the open requests to a draining instance have ended, the gateway acknowledges that in the database.
 */
export class TableSync {
  readonly #parts: TableSyncParts;
  readonly #gatewayId = newId();
  readonly #targets: LocalTargets;
  readonly #lease: LeaseWatch;
  readonly #lateMs: number;
  readonly #lookup: HostLookup;
  readonly #previews: PreviewTracker;
  readonly #rules: RuleCache;
  /** Ids of the environments that are in the routing table. */
  readonly #known = new Set<string>();
  /** Ids of environments whose sites already use new targets while these are being written to the database. */
  readonly #ahead = new Set<string>();
  /** Ids of the instances that this gateway is draining. */
  readonly #draining = new Set<string>();
  #isClosing = false;
  /** Promise that settles when all reads of the database that were requested so far have ended. */
  #reading: Promise<void> = Promise.resolve();
  /** Changed environments that the next read of the database covers; undefined if no read is planned. */
  #due: Set<string> | undefined;
  /** Earliest time at which changed environments are read from the database again. */
  #nextRead = 0;
  #timers: NodeJS.Timeout[] = [];
  #unfollow = () => {};

  constructor(parts: TableSyncParts) {
    const { db, sites, appsDomain, machine, files, previews, unhostedMs = UNHOSTED_MS, log } = parts;
    this.#parts = parts;
    this.#targets = new LocalTargets({ machine, files, onCopied: (id) => this.#refreshQuietly([id]) });
    this.#lateMs = parts.lateMs ?? LATE_MS;
    this.#lease = new LeaseWatch({ db, sites, machine, unhostedMs, lateMs: this.#lateMs, log });
    this.#lookup = new HostLookup({
      find: (hosts) => findEnvironments(db, hosts, appsDomain),
      refresh: (ids) => this.refresh(ids),
    });
    this.#previews = new PreviewTracker({ previews, onWoken: (id) => this.refresh([id]), log });
    this.#rules = new RuleCache(db);
    sites.isComplete = false;
    sites.lookUp = (host, mostMs) => this.#lookup.lookUp(host, mostMs);
    sites.wake = (id) => this.#previews.wake(id);
    sites.noteVisit = (id) => this.#previews.note(id);
  }

  /** Fills the routing table from the database and keeps it up to date. */
  async start(): Promise<void> {
    const { db, sites, follow, lookMs = LOOK_MS, heartbeatMs = HEARTBEAT_MS } = this.#parts;
    this.#lease.start();
    await forgetGateways(db);
    await this.#recordHeartbeat();
    this.#unfollow();
    this.#unfollow = follow({
      onChange: (id) => this.#planRead(id),
      onGap: () => this.#refreshQuietly(),
    });
    await this.refresh();
    sites.isComplete = true;
    this.#lookup.begin();
    this.#repeat(lookMs, () => this.refresh());
    this.#repeat(heartbeatMs, async () => {
      if (await this.#recordHeartbeat()) await this.refresh();
    });
    // Previews with long-lived connections count as visited all the time.
    this.#repeat(NOTED_MS, () => this.#previews.noteAll(sites.visited()));
  }

  /**
   * Stops the sync; the table keeps its content. Other servers no longer wait for this gateway's acknowledgements.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#lookup.close();
    this.#unfollow();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#reading;
    await removeGateway(this.#parts.db, this.#gatewayId).catch(() => {});
  }

  /**
   * Reads some environments, or all. Reads run one after the other, so that an older result never overwrites a newer
   * one. `first` runs just before the read.
   */
  refresh(only?: readonly string[], first = () => {}): Promise<void> {
    const done = this.#reading.then(() => {
      first();
      return this.#isClosing ? undefined : this.#read(only);
    });
    this.#reading = done.catch((error) =>
      this.#parts.log.warn({ err: error }, 'the routing table could not be read; routes stay as they were'),
    );
    return done;
  }

  /**
   * Sends requests to new targets while `write` stores these targets in the database. As soon as the database says that
   * a release is live, no visitor may get the former release from this gateway. If `write` fails, the targets in the
   * database count.
   */
  async switchTo(
    environmentId: string,
    { host, targets, ...site }: Serving,
    write: () => Promise<void>,
  ): Promise<void> {
    this.#ahead.add(environmentId);
    try {
      this.#parts.sites.set(environmentId, {
        routes: [{ host }],
        state: 'live',
        targets: targets.map((location) => this.#targets.targetAt(location)),
        ...site,
      });
      await write();
    } finally {
      this.#refreshQuietly([environmentId], () => this.#ahead.delete(environmentId));
    }
  }

  /** Removes this machine's backends before its sites stop: requests then wait until the table is read again. */
  removeOwnBackends(): void {
    this.#parts.sites.removeOwnBackends();
  }

  /**
   * Runs `work` at an interval until the sync is closed. Errors of `work` are ignored here: the next run tries again.
   */
  #repeat(everyMs: number, work: () => Promise<void>): void {
    const timer = setInterval(() => void work().catch(() => {}), everyMs);
    timer.unref();
    this.#timers.push(timer);
  }

  /**
   * Reads environments from the database without waiting for the result. Errors are ignored here, because `refresh` has
   * logged them.
   */
  #refreshQuietly(only?: readonly string[], first?: () => void): void {
    void this.refresh(only, first).catch(() => {});
  }

  /** Plans the read of a changed environment; changes that arrive together are read together. */
  #planRead(environmentId: string): void {
    if (this.#due) {
      this.#due.add(environmentId);
      return;
    }
    this.#due = new Set([environmentId]);
    const wait = Math.max(0, this.#nextRead - performance.now());
    setTimeout(() => {
      this.#nextRead = performance.now() + TOGETHER_MS;
      const due = [...(this.#due ?? [])];
      this.#due = undefined;
      this.#refreshQuietly(due);
    }, wait).unref();
  }

  /** Records that this gateway runs; returns true if whether a server runs the sites has changed. */
  async #recordHeartbeat(): Promise<boolean> {
    const { db, machine } = this.#parts;
    return this.#lease.note(await recordHeartbeat(db, this.#gatewayId, machine));
  }

  async #read(only?: readonly string[]): Promise<void> {
    const { db, machine } = this.#parts;
    if (!only) await this.#lease.update();
    const rows = await readRoutingRows(db, { machine, lateMs: this.#lateMs }, only);
    await this.#rules.load(rows);
    const found = new Set(rows.map((row) => row.environment_id));
    for (const id of only ?? [...this.#known]) if (!found.has(id)) this.#forget(id);
    for (const row of rows) this.#apply(row);
    if (!only) this.#targets.keepCopies(rows);
    const draining = await readDrainingInstances(db, machine, this.#gatewayId);
    for (const instance of draining) void this.#drain(instance);
  }

  #forget(environmentId: string): void {
    this.#known.delete(environmentId);
    this.#targets.forget(environmentId);
    this.#previews.forget(environmentId);
    this.#parts.sites.remove(environmentId);
    this.#parts.sites.setRules(environmentId, undefined);
    this.#parts.sites.setLimits(environmentId, undefined);
  }

  #apply(row: RoutingRow): void {
    const { sites } = this.#parts;
    const { environment_id: id } = row;
    // The targets are computed even if `switchTo` has already set the site's targets, because `reachableOf` also starts
    // to copy missing files to this machine.
    const targets = this.#targets.reachableOf(row);
    this.#known.add(id);
    // A site never gets visitors without its rules, such as its password.
    sites.setRules(id, this.#rules.of(row));
    sites.setLimits(id, row);
    // While `switchTo` writes new targets to the database, the site keeps them here, and the targets just read do not
    // replace them.
    if (!this.#ahead.has(id)) this.#setState(row, targets);
    sites.setDomains(id, row.domains);
    for (const target of this.#targets.takeMissing(row)) sites.markLost(target);
  }

  #setState(row: RoutingRow, targets: readonly Target[]): void {
    const { sites, machine, appsDomain } = this.#parts;
    const state = stateOfSite(row, machine, { targets, hosted: sites.hosted });
    if (state.state === 'none') sites.remove(row.environment_id);
    else {
      const routes = [{ host: `${row.subdomain}.${appsDomain}` }];
      sites.set(row.environment_id, { routes, isPreview: row.is_preview, ...state });
    }
  }

  /** Drains an instance's targets and acknowledges that in the database. */
  async #drain({ instance_id: id, targets, is_ours: isOurs }: DrainingInstance): Promise<void> {
    if (this.#draining.has(id)) return;
    this.#draining.add(id);
    const { db, sites, drainMs, log } = this.#parts;
    try {
      const open = isOurs
        ? await Promise.all(targets.map((location) => sites.drain(this.#targets.targetAt(location), drainMs)))
        : [];
      await recordDrained(db, this.#gatewayId, id, open.includes(true));
    } catch (error) {
      log.warn({ err: error }, 'the drain of a site’s former version could not be acknowledged');
    } finally {
      this.#draining.delete(id);
    }
  }
}
