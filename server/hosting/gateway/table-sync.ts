import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { newId } from '../../kernel/identifiers.ts';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { BackendLocation } from '../model/backend-location.ts';
import type { BuildName } from '../model/site-folders.ts';
import { keyOf, type RoutingTable, type SiteSettings, type Target } from './routing-table.ts';

/** Builds of files on this machine's disk. */
export interface SiteFiles {
  folderOf(build: BuildName): string;
  /** Where any machine of a cluster may have them; else they are where they were made. */
  copies?: {
    isHere(build: BuildName): boolean;
    /** False where they can't be had now. */
    bring(build: BuildName): Promise<boolean>;
    /** What is served now: the others may go. */
    keep(builds: readonly BuildName[]): void;
  };
}

export interface TableSyncParts {
  db: Kysely<unknown>;
  sites: RoutingTable;
  appsDomain: string;
  /** Whose disk and loopback address a target is on, when it is ours. */
  machine: string;
  files: SiteFiles;
  /** Tells of environments that changed, and of gaps in what was told. */
  follow: (handlers: { onChange: (environmentId: string) => void; onGap: () => void }) => () => void;
  drainMs: number;
  previews: PreviewActivity;
  /** How often all is read, whatever was told. */
  lookMs?: number;
  /** So long after the lease ended nobody is expected to take it. */
  unhostedMs?: number;
  log: Logger;
}

/** What is told of previews: they fall asleep where nobody visits them. */
export interface PreviewActivity {
  /** Somebody visits these environments now. */
  note(environmentIds: readonly string[]): Promise<void>;
  /** What is asleep is to run. */
  wake(environmentId: string): Promise<void>;
}

interface Row {
  environment_id: string;
  subdomain: string;
  domains: string[];
  /** What is asked of the site; null before the first deployment is live. */
  wanted: 'live' | 'stopped' | 'asleep' | 'down' | null;
  /** A version is on its way. */
  is_coming: boolean;
  /** Where those processes are that take its requests, by their instances. */
  serving: readonly { id: string; targets: readonly BackendLocation[] }[];
  sticky: boolean;
  is_preview: boolean;
  /** None of them is wanted. */
  is_off: boolean;
  machine: string | null;
  address: string | null;
  /** A cluster runs it, of which every gateway reaches all but what is on a disk. */
  is_clustered: boolean | null;
  /** Whether the machine has renewed its lease in time. */
  is_heard: boolean | null;
}

interface Retired {
  instance_id: string;
  targets: readonly BackendLocation[];
  is_ours: boolean;
}

const LOOK_MS = 15_000;
/** For as long a request waits for the database to tell of a site that a filled table lacks. */
const LONGEST_LOOK_MS = 1_000;
const SEEN_MS = 3_000;
/** The lease (fleet/lease.ts) is renewed every 2 s: so long before its end it is late. */
const LATE_MS = 5_000;
const UNHOSTED_MS = 15_000;
/** Between two looks at what has changed. */
const TOGETHER_MS = 20;
/** How often it is noted that a preview is visited. */
const NOTED_MS = 60_000;

interface Serving extends Required<Pick<SiteSettings, 'sticky' | 'isPreview'>> {
  host: string;
  targets: readonly BackendLocation[];
}

export type TableSync = ReturnType<typeof createTableSync>;

/**
 * Where each site is, as the database has it: the one writer of the gateway's table, on every server alike. What is
 * retired is let go once nothing is under way to it, and that is told.
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
  const lettingGo = new Set<string>();
  /** Environments whose next target is served already, while it is written down. */
  const ahead = new Set<string>();
  const closing = new AbortController();
  const filled = Promise.withResolvers<void>();
  let reading: Promise<void> = Promise.resolve();
  let timers: NodeJS.Timeout[] = [];
  let unfollow = () => {};

  /** As this machine has it. */
  const targetOf = (place: BackendLocation): Target =>
    place.kind === 'server'
      ? place
      : { kind: 'static', folder: files.folderOf(place), ...(place.spa && { spa: place.spa }) };

  /** Brings files that another machine has, to be served here from then on. */
  const bring = async (environmentId: string, build: BuildName): Promise<void> => {
    // What can't be read is told there.
    if (await files.copies?.bring(build)) await refresh([environmentId]).catch(() => {});
  };

  /** Those of its targets that this gateway reaches by itself. */
  const reachable = ({
    environment_id: id,
    serving,
    machine: its,
    is_clustered: isClustered,
  }: Row): Target[] => {
    const isReached = (place: BackendLocation): boolean => {
      if (place.kind === 'server') return its === machine || isClustered === true;
      if (!files.copies) return its === machine;
      const isHere = files.copies.isHere(place);
      if (!isHere) void bring(id, place);
      return isHere;
    };
    return serving.flatMap(({ targets }) => targets.filter(isReached).map(targetOf));
  };
  const isAnywhere = ({ serving }: Row) => serving.some(({ targets }) => targets.length > 0);

  /** By environment and instance, where its requests went. */
  const were = new Map<string, Map<string, readonly BackendLocation[]>>();
  /** What an instance that goes on serving has no more is gone, with all that was under way to it. */
  const noteGone = ({ environment_id: id, serving }: Row): void => {
    const before = were.get(id);
    for (const { id: instance, targets } of serving) {
      const there = new Set(targets.map(targetOf).map(keyOf));
      for (const target of (before?.get(instance) ?? []).map(targetOf))
        if (!there.has(keyOf(target))) sites.lose(target);
    }
    if (serving.length > 0) were.set(id, new Map(serving.map((one) => [one.id, one.targets])));
    else were.delete(id);
  };

  const settle = (row: Row): void => {
    const { environment_id: id, wanted, is_coming, sticky, is_preview: isPreview } = row;
    const targets = reachable(row);
    const site = { hosts: [`${row.subdomain}.${appsDomain}`], isPreview };
    known.add(id);
    if (ahead.has(id)) {
      // It is served where it will be.
    } else if (wanted === null && !is_coming) sites.remove(id);
    else if (wanted === 'stopped' || wanted === 'asleep')
      sites.set(id, { ...site, state: is_coming ? 'starting' : wanted });
    else if (targets.length > 0) sites.set(id, { ...site, state: 'live', targets, sticky });
    else if (isAnywhere(row) && row.machine !== machine && row.address && row.is_heard) {
      const fellow: Target = { kind: 'fellow', origin: row.address, site: id };
      sites.set(id, { ...site, state: 'live', targets: [fellow] });
    } else if (row.is_off) sites.set(id, { ...site, state: 'stopped' });
    else if (wanted === 'live') {
      const isBeyondReach = row.machine !== null && row.machine !== machine && row.address === null;
      const state = isBeyondReach ? 'elsewhere' : sites.hosted === 'nobody' ? 'unhosted' : 'returning';
      sites.set(id, { ...site, state });
    } else sites.set(id, { ...site, state: wanted ?? 'starting' });
    sites.setDomains(id, row.domains);
    noteGone(row);
  };

  let begun = Number.POSITIVE_INFINITY;
  let wasHeld = false;
  /** Notes whether anybody runs the sites; true when that is otherwise than it was. */
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
      log.warn('no server runs sites: what is deployed waits for one that has not HOSTING=off');
    }
    return sites.hosted !== before.hosted || wasHeld !== before.wasHeld;
  };

  /** Reads some environments, or all, and lets go of what is retired. */
  const read = async (some?: readonly string[]): Promise<void> => {
    if (!some) await noteHosted();
    const { rows } = await sql<Row>`
      select environments.environment_id, environments.subdomain, sites.state as wanted,
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
      were.delete(id);
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
    for (const one of retired) void letGo(one);
  };

  const letGo = async ({ instance_id: id, targets, is_ours }: Retired): Promise<void> => {
    if (lettingGo.has(id)) return;
    lettingGo.add(id);
    try {
      const open = is_ours
        ? await Promise.all(targets.map((place) => sites.drain(targetOf(place), drainMs)))
        : [];
      await sql`
        insert into instances_let_go (instance_id, gateway_id, has_tunnels)
        select instance_id, ${gatewayId}, ${open.includes(true)} from instances where instance_id = ${id}
        on conflict do nothing`.execute(db);
    } catch (error) {
      log.warn({ err: error }, 'it could not be told that a site’s former version is let go');
    } finally {
      lettingGo.delete(id);
    }
  };

  /** One after the other, so that what was read first is not what is set last; `first` is done before it is read. */
  const refresh = (some?: readonly string[], first = () => {}): Promise<void> => {
    const done = reading.then(() => {
      first();
      return closing.signal.aborted ? undefined : read(some);
    });
    reading = done.catch((error) =>
      log.warn({ err: error }, 'where sites are could not be read; they stay where they were'),
    );
    return done;
  };
  const seen = async (): Promise<void> => {
    await sql`
      insert into gateways (gateway_id, seen_at) values (${gatewayId}, clock_timestamp())
      on conflict (gateway_id) do update set seen_at = excluded.seen_at`.execute(db);
    await sql`
      delete from gateways where seen_at < clock_timestamp() - interval '1 hour'`.execute(db);
  };
  /** What ended unannounced, or has been gone for long, makes another table. */
  const followHolder = async (): Promise<void> => {
    if (await noteHosted()) await refresh();
  };

  /** Hosts that are asked for together are looked for together, and one such look is under way at a time. */
  const wantedHosts = new Set<string>();
  const lookForHosts = coalesceRuns(async () => {
    const hosts = [...wantedHosts];
    wantedHosts.clear();
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
      // Away: what the table has is what there is.
    }
  });
  const lookFor = async (host: string, mostMs = LONGEST_LOOK_MS): Promise<void> => {
    if (closing.signal.aborted) return;
    if (!sites.isComplete) await Promise.race([filled.promise, sleep(mostMs, undefined, { ref: false })]);
    if (!sites.isComplete) return;
    wantedHosts.add(host);
    await Promise.race([lookForHosts(), sleep(LONGEST_LOOK_MS, undefined, { ref: false })]);
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

  /** Of the previews that were visited, when that was noted last. */
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
      log.warn({ err: error }, 'a visit to a preview could not be noted');
    });
  };

  sites.isComplete = false;
  sites.look = lookFor;
  sites.wake = wake;
  sites.noteVisit = noteVisit;

  /** Changes that come together are read together. */
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
     * Serves targets that answer while `write` makes them the environment's own in the database, so that nobody who reads
     * there that they are live finds the former ones here. What the database has in the end is what is served.
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

    /** What runs here ends: requests to it wait until the table is read again. */
    setOwnAside: sites.setOwnAside,

    /** Serves what the database has, and goes on doing so. */
    async start(): Promise<void> {
      begun = Math.min(begun, performance.now());
      await seen();
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
        setInterval(quietly(seen), SEEN_MS),
        setInterval(quietly(followHolder), SEEN_MS),
        // What is open for long is a visit all the time.
        setInterval(
          quietly(() => noteVisits(sites.visited())),
          NOTED_MS,
        ),
      ];
      for (const timer of timers) timer.unref();
    },

    /** What is served stays as it is. Nobody waits for this gateway any more. */
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
  return serving.flatMap(({ targets }) => targets.filter((place) => place.kind === 'files'));
}
