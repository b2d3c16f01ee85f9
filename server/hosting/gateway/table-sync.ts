import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { newId } from '../../kernel/identifiers.ts';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { BackendLocation } from '../model/backend-location.ts';
import type { BuildName } from '../model/site-folders.ts';
import { keyOf, type RoutingTable, type SiteSettings, type Target } from './routing-table.ts';

/** Files of builds on this machine's disk. */
export interface SiteFiles {
  folderOf(build: BuildName): string;
  /** Copies on other machines of a cluster. Undefined if builds stay on the machine that made them. */
  copies?: {
    isHere(build: BuildName): boolean;
    /** Copies a build to this machine; false if that is not possible now. */
    bring(build: BuildName): Promise<boolean>;
    /** Builds that are served now; all other copies may be deleted. */
    keep(builds: readonly BuildName[]): void;
  };
}

export interface TableSyncParts {
  db: Kysely<unknown>;
  sites: RoutingTable;
  appsDomain: string;
  /** Identity of this machine; targets on its disk or loopback address are reachable only here. */
  machine: string;
  files: SiteFiles;
  /** Subscribes to changes of environments, and to gaps in the notifications. */
  follow: (handlers: { onChange: (environmentId: string) => void; onGap: () => void }) => () => void;
  drainMs: number;
  previews: PreviewActivity;
  /** Interval at which everything is read, independent of notifications. */
  lookMs?: number;
  /** Time after the lease's end from which on the sites count as unhosted. */
  unhostedMs?: number;
  log: Logger;
}

/** Activity of previews, which fall asleep when nobody visits them. */
export interface PreviewActivity {
  /** Records visits to these environments. */
  note(environmentIds: readonly string[]): Promise<void>;
  /** Requests that a sleeping preview runs again. */
  wake(environmentId: string): Promise<void>;
}

interface Row {
  environment_id: string;
  subdomain: string;
  domains: string[];
  /** Desired state of the site; null before the first deployment is live. */
  desired: 'live' | 'stopped' | 'asleep' | 'down' | null;
  /** True while a version is being built or started. */
  is_coming: boolean;
  /** Locations of the web processes that take requests, by instance. */
  serving: readonly { id: string; targets: readonly BackendLocation[] }[];
  sticky: boolean;
  is_preview: boolean;
  /** True if the web process is scaled to zero. */
  is_off: boolean;
  machine: string | null;
  address: string | null;
  /** True if the sites run in a cluster; every gateway then reaches all targets except files on a disk. */
  is_clustered: boolean | null;
  /** True if the machine has renewed its lease in time. */
  is_heard: boolean | null;
}

interface Retired {
  instance_id: string;
  targets: readonly BackendLocation[];
  is_ours: boolean;
}

const LOOK_MS = 15_000;
/** Longest time that a request waits for the database lookup of a site that a filled table lacks. */
const LONGEST_LOOK_MS = 1_000;
const HEARTBEAT_MS = 3_000;
/** The lease (controller/lease.ts) is renewed every 2 s; with less than this left, it counts as late. */
const LATE_MS = 5_000;
const UNHOSTED_MS = 15_000;
/** Minimum time between two reads of changes. */
const TOGETHER_MS = 20;
/** Minimum time between two records of visits to the same preview. */
const NOTED_MS = 60_000;

interface Serving extends Required<Pick<SiteSettings, 'sticky' | 'isPreview'>> {
  host: string;
  targets: readonly BackendLocation[];
}

export type TableSync = ReturnType<typeof createTableSync>;

/**
 * Keeps the gateway's routing table in line with the database. It is the only writer of the table, on every server.
 * Retired targets are drained and then acknowledged in the database.
 */
export function createTableSync({
  db,
  sites,
  appsDomain,
  machine,
  files,
  follow,
  drainMs,
  previews,
  lookMs = LOOK_MS,
  unhostedMs = UNHOSTED_MS,
  log,
}: TableSyncParts) {
  const gatewayId = newId();
  const known = new Set<string>();
  const acknowledging = new Set<string>();
  /** Environments that already serve their next targets while these are being written to the database. */
  const ahead = new Set<string>();
  const closing = new AbortController();
  const filled = Promise.withResolvers<void>();
  let reading: Promise<void> = Promise.resolve();
  let timers: NodeJS.Timeout[] = [];
  let unfollow = () => {};

  /** Converts a location to a target on this machine. */
  const targetOf = (location: BackendLocation): Target =>
    location.kind === 'server'
      ? location
      : { kind: 'static', folder: files.folderOf(location), ...(location.spa && { spa: location.spa }) };

  /** Copies files from another machine, and serves them here from then on. */
  const copyFiles = async (environmentId: string, build: BuildName): Promise<void> => {
    // Read errors are logged by `refresh`.
    if (await files.copies?.bring(build)) await refresh([environmentId]).catch(() => {});
  };

  /** Targets of the site that this gateway can reach directly. */
  const reachable = ({
    environment_id: id,
    serving,
    machine: its,
    is_clustered: isClustered,
  }: Row): Target[] => {
    const isReached = (location: BackendLocation): boolean => {
      if (location.kind === 'server') return its === machine || isClustered === true;
      if (!files.copies) return its === machine;
      const isHere = files.copies.isHere(location);
      if (!isHere) void copyFiles(id, location);
      return isHere;
    };
    return serving.flatMap(({ targets }) => targets.filter(isReached).map(targetOf));
  };
  const isAnywhere = ({ serving }: Row) => serving.some(({ targets }) => targets.length > 0);

  /** Former locations by environment and instance. */
  const formerLocations = new Map<string, Map<string, readonly BackendLocation[]>>();
  /** Targets that a serving instance no longer has are lost, with all requests to them. */
  const markMissingTargetsLost = ({ environment_id: id, serving }: Row): void => {
    const before = formerLocations.get(id);
    for (const { id: instance, targets } of serving) {
      const there = new Set(targets.map(targetOf).map(keyOf));
      for (const target of (before?.get(instance) ?? []).map(targetOf))
        if (!there.has(keyOf(target))) sites.markLost(target);
    }
    if (serving.length > 0) formerLocations.set(id, new Map(serving.map((one) => [one.id, one.targets])));
    else formerLocations.delete(id);
  };

  const settle = (row: Row): void => {
    const { environment_id: id, desired, is_coming, sticky, is_preview: isPreview } = row;
    const targets = reachable(row);
    const site = { hosts: [`${row.subdomain}.${appsDomain}`], isPreview };
    known.add(id);
    if (ahead.has(id)) {
      // Targets set by `switchTo` are kept while they are being written.
    } else if (desired === null && !is_coming) sites.remove(id);
    else if (desired === 'stopped' || desired === 'asleep')
      sites.set(id, { ...site, state: is_coming ? 'starting' : desired });
    else if (targets.length > 0) sites.set(id, { ...site, state: 'live', targets, sticky });
    else if (isAnywhere(row) && row.machine !== machine && row.address && row.is_heard) {
      const peer: Target = { kind: 'peer', origin: row.address, site: id };
      sites.set(id, { ...site, state: 'live', targets: [peer] });
    } else if (row.is_off) sites.set(id, { ...site, state: 'stopped' });
    else if (desired === 'live') {
      const isBeyondReach = row.machine !== null && row.machine !== machine && row.address === null;
      const state = isBeyondReach ? 'elsewhere' : sites.hosted === 'nobody' ? 'unhosted' : 'returning';
      sites.set(id, { ...site, state });
    } else sites.set(id, { ...site, state: desired ?? 'starting' });
    sites.setDomains(id, row.domains);
    markMissingTargetsLost(row);
  };

  let begun = Number.POSITIVE_INFINITY;
  let wasHeld = false;
  /** Updates whether a server runs the sites; returns true if that has changed. */
  const noteHosted = async (): Promise<boolean> => {
    const { rows } = await sql<{ left_ms: number; is_left_running: boolean }>`
      select (extract(epoch from held_until - clock_timestamp()) * 1000)::float as left_ms,
        outlives and (machine = ${machine} or cluster is not null) as is_left_running
      from hosting_lease`.execute(db);
    const { left_ms: leftMs, is_left_running: isLeftRunning } = rows[0] ?? {
      left_ms: Number.NEGATIVE_INFINITY,
      is_left_running: false,
    };
    const before = { hosted: sites.hosted, wasHeld };
    const isGone = leftMs < -unhostedMs && performance.now() - begun > unhostedMs;
    sites.hosted = leftMs > LATE_MS || isLeftRunning ? 'hosted' : isGone ? 'nobody' : 'late';
    wasHeld = leftMs > 0;
    if (sites.hosted === 'nobody' && before.hosted !== 'nobody') {
      log.warn('no server runs sites: deployed sites wait for a server without HOSTING=off');
    }
    return sites.hosted !== before.hosted || wasHeld !== before.wasHeld;
  };

  /** Reads some environments, or all, and drains retired targets. */
  const read = async (some?: readonly string[]): Promise<void> => {
    if (!some) await noteHosted();
    const { rows } = await sql<Row>`
      select environments.environment_id, environments.subdomain, sites.state as desired,
        array(select hostname from domains
          where domains.environment_id = environments.environment_id and proved_at is not null) as domains,
        exists(select from deployments
          where deployments.environment_id = environments.environment_id
            and status in ('building', 'starting')) as is_coming,
        coalesce(serving.all_of_it, '[]') as serving, applications.sticky,
        exists (select from previews where previews.environment_id = environments.environment_id) as is_preview, environments.processes -> 'web' = '0' as is_off,
        lease.machine, lease.address, lease.cluster is not null as is_clustered,
        lease.held_until > clock_timestamp() + ${LATE_MS} * interval '1 millisecond' as is_heard
      from environments
      join applications on applications.application_uuid = environments.application_uuid
      left join sites on sites.environment_id = environments.environment_id
      left join hosting_lease lease on lease.held_until > clock_timestamp()
        or (lease.outlives and (lease.machine = ${machine} or lease.cluster is not null))
      left join lateral (
        select jsonb_agg(jsonb_build_object('id', instance_id, 'targets', instances.targets) order by number) as all_of_it
        from instances
        where instances.environment_id = environments.environment_id
          and state = 'serving' and process = 'web' and generation = lease.generation
      ) serving on true
      ${some ? sql`where environments.environment_id = any(${some}::uuid[])` : sql``}`.execute(db);
    const found = new Set(rows.map((row) => row.environment_id));
    for (const id of some ?? [...known]) {
      if (found.has(id)) continue;
      known.delete(id);
      formerLocations.delete(id);
      sites.remove(id);
    }
    for (const row of rows) settle(row);
    if (!some) files.copies?.keep(rows.flatMap(buildsOf));
    const { rows: retired } = await sql<Retired>`
      select instances.instance_id, instances.targets,
        lease.machine = ${machine} or lease.cluster is not null as is_ours
      from instances join hosting_lease lease on lease.generation = instances.generation
      where instances.state = 'draining' and instances.targets <> '[]' and not exists (
        select from instances_let_go let_go
        where let_go.instance_id = instances.instance_id and let_go.gateway_id = ${gatewayId})`.execute(db);
    for (const one of retired) void acknowledgeDrained(one);
  };

  const acknowledgeDrained = async ({ instance_id: id, targets, is_ours }: Retired): Promise<void> => {
    if (acknowledging.has(id)) return;
    acknowledging.add(id);
    try {
      const open = is_ours
        ? await Promise.all(targets.map((location) => sites.drain(targetOf(location), drainMs)))
        : [];
      await sql`
        insert into instances_let_go (instance_id, gateway_id, has_tunnels)
        select instance_id, ${gatewayId}, ${open.includes(true)} from instances where instance_id = ${id}
        on conflict do nothing`.execute(db);
    } catch (error) {
      log.warn({ err: error }, 'the drain of a site’s former version could not be acknowledged');
    } finally {
      acknowledging.delete(id);
    }
  };

  /**
   * Reads run one after the other, so that an older result never overwrites a newer one. `first` runs just before the
   * read.
   */
  const refresh = (some?: readonly string[], first = () => {}): Promise<void> => {
    const done = reading.then(() => {
      first();
      return closing.signal.aborted ? undefined : read(some);
    });
    reading = done.catch((error) =>
      log.warn({ err: error }, 'the routing table could not be read; routes stay as they were'),
    );
    return done;
  };
  const recordHeartbeat = async (): Promise<void> => {
    await sql`
      insert into gateways (gateway_id, seen_at) values (${gatewayId}, clock_timestamp())
      on conflict (gateway_id) do update set seen_at = excluded.seen_at`.execute(db);
    await sql`
      delete from gateways where seen_at < clock_timestamp() - interval '1 hour'`.execute(db);
  };
  /** Expired leases are not announced, so they are checked regularly; a change means that the table is read again. */
  const followLease = async (): Promise<void> => {
    if (await noteHosted()) await refresh();
  };

  /** Hosts requested at the same time are looked up together, one query at a time. */
  const requestedHosts = new Set<string>();
  const lookUpHosts = coalesceRuns(async () => {
    const hosts = [...requestedHosts];
    requestedHosts.clear();
    const underApps = `.${appsDomain}`;
    const subdomains = hosts
      .filter((host) => host.endsWith(underApps))
      .map((host) => host.slice(0, -underApps.length));
    try {
      const { rows } = await sql<{ id: string }>`
        select environment_id as id from environments where subdomain = any(${subdomains}::text[])
        union select environment_id from domains where hostname = any(${hosts}::text[])`.execute(db);
      if (rows.length > 0) await refresh(rows.map(({ id }) => id));
    } catch {
      // Database unavailable: the table's current content is used.
    }
  });
  const lookUpHost = async (host: string, mostMs = LONGEST_LOOK_MS): Promise<void> => {
    if (closing.signal.aborted) return;
    if (!sites.isComplete) await Promise.race([filled.promise, sleep(mostMs, undefined, { ref: false })]);
    if (!sites.isComplete) return;
    requestedHosts.add(host);
    await Promise.race([lookUpHosts(), sleep(LONGEST_LOOK_MS, undefined, { ref: false })]);
  };
  const waking = new Set<string>();
  const wake = (id: string): void => {
    if (waking.has(id)) return;
    waking.add(id);
    previews
      .wake(id)
      .then(() => refresh([id]))
      .catch((error) => log.warn({ err: error, environment: id }, 'a preview could not be woken'))
      .finally(() => waking.delete(id));
  };

  /** Time of the last recorded visit per preview. */
  const noted = new Map<string, number>();
  const noteVisits = async (ids: readonly string[]): Promise<void> => {
    const now = performance.now();
    const due = ids.filter((id) => now - (noted.get(id) ?? Number.NEGATIVE_INFINITY) >= NOTED_MS);
    if (due.length === 0) return;
    for (const id of due) noted.set(id, now);
    for (const id of noted.keys()) if (!known.has(id)) noted.delete(id);
    await previews.note(due);
  };
  const noteVisit = (id: string): void => {
    noteVisits([id]).catch((error) => {
      noted.delete(id);
      log.warn({ err: error }, 'a visit to a preview could not be recorded');
    });
  };

  sites.isComplete = false;
  sites.lookUp = lookUpHost;
  sites.wake = wake;
  sites.noteVisit = noteVisit;

  /** Changes that arrive together are read together. */
  let due: Set<string> | undefined;
  let nextRead = 0;
  const onChange = (environmentId: string): void => {
    if (due) {
      due.add(environmentId);
      return;
    }
    due = new Set([environmentId]);
    const wait = Math.max(0, nextRead - performance.now());
    setTimeout(() => {
      nextRead = performance.now() + TOGETHER_MS;
      const some = [...(due ?? [])];
      due = undefined;
      void refresh(some).catch(() => {});
    }, wait).unref();
  };

  return {
    refresh: (some?: readonly string[]) => refresh(some),

    /**
     * Serves new targets while `write` stores them in the database. Clients who read in the database that the version
     * is live must not get the former version here. The database's final content decides.
     */
    async switchTo(
      environmentId: string,
      { host, targets, ...site }: Serving,
      write: () => Promise<void>,
    ): Promise<void> {
      ahead.add(environmentId);
      try {
        sites.set(environmentId, { hosts: [host], state: 'live', targets: targets.map(targetOf), ...site });
        await write();
      } finally {
        void refresh([environmentId], () => ahead.delete(environmentId)).catch(() => {});
      }
    },

    /** Called before the sites on this machine stop: requests wait until the table is read again. */
    removeOwnBackends: sites.removeOwnBackends,

    /** Fills the table from the database and keeps it up to date. */
    async start(): Promise<void> {
      begun = Math.min(begun, performance.now());
      await recordHeartbeat();
      unfollow();
      unfollow = follow({ onChange, onGap: () => void refresh().catch(() => {}) });
      await refresh();
      sites.isComplete = true;
      filled.resolve();
      const quietly = (work: () => Promise<void>) => () => void work().catch(() => {});
      timers = [
        setInterval(
          quietly(() => refresh()),
          lookMs,
        ),
        setInterval(quietly(recordHeartbeat), HEARTBEAT_MS),
        setInterval(quietly(followLease), HEARTBEAT_MS),
        // Long-lived connections to previews count as visits all the time.
        setInterval(
          quietly(() => noteVisits(sites.visited())),
          NOTED_MS,
        ),
      ];
      for (const timer of timers) timer.unref();
    },

    /**
     * Stops the sync; the table keeps its content. Other servers no longer wait for this gateway's acknowledgements.
     */
    async close(): Promise<void> {
      closing.abort();
      filled.resolve();
      unfollow();
      for (const timer of timers) clearInterval(timer);
      await reading;
      await sql`delete from gateways where gateway_id = ${gatewayId}`.execute(db).catch(() => {});
    },
  };
}

function buildsOf({ serving }: Row): BuildName[] {
  return serving.flatMap(({ targets }) => targets.filter((location) => location.kind === 'files'));
}
