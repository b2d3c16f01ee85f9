import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { makeAbortable } from '../../kernel/abortable.ts';
import type { Logger } from '../../kernel/log.ts';
import { LeaseLost } from '../model/lease-fence.ts';

/** Who runs the sites now. */
export interface LeaseHolder {
  /** A life of a server: another one after each start. */
  server: string;
  /** Whose disk has the releases: one folder of one machine, in each life there. */
  machine: string;
  /** Where other servers reach its gateway; null where they can't. */
  address: string | null;
  /** What it runs goes on while its server is away, until somebody else takes the lease. */
  outlives: boolean;
  /** Which cluster runs it, whose every server finds it and every gateway reaches it; null: its machine does, alone. */
  cluster: string | null;
  /** Grows each time the lease changes hands: what an earlier holder wrote down is void. */
  generation: number;
}

export interface LeaseTimes {
  /** For so long nobody else takes the lease after it was last renewed. */
  holdMs: number;
  renewMs: number;
  /** So long before its end a holder that could not renew it gives up: it has to end its sites until then. */
  marginMs: number;
  /** For so long a holder may reach nothing of what runs its sites, where another server asks for the lease. */
  awayMs: number;
}

export const LEASE_TIMES: LeaseTimes = { holdMs: 10_000, renewMs: 2_000, marginMs: 4_000, awayMs: 10_000 };

/** So many times `renewMs` after it was renewed last, the lease should have been renewed again. */
const OVERDUE = 1.5;

export interface LeaseParts {
  db: Kysely<unknown>;
  self: Omit<LeaseHolder, 'generation'>;
  times?: LeaseTimes;
  log: Logger;
  /** Whether an earlier life of this machine's server is over for certain: then its lease is ours at once. */
  isAlone?: () => boolean;
  /** Ends what that life left where another server has the lease by now, and runs the same sites. */
  endLeftovers?: () => Promise<void>;
  /** Rejects where what runs the sites does not answer this server, which it may do another one. */
  reach?: Reach | undefined;
  /** What runs may go on for so long, until it is said again; 0: until its server ends, for nobody else asks for the lease. */
  mayRunFor?: ((ms: number) => void) | undefined;
  /** The lease is ours until the signal; `tenure` begins to run sites and resolves when it has ended them all. */
  tenure: (generation: number, signal: AbortSignal) => Promise<void>;
}

export type Lease = ReturnType<typeof createLease>;

/** Why a tenure ends that could go on: the lease is held until it is through. */
export class LeaseReturned extends Error {
  constructor() {
    super('this server is stopping');
  }
}

type Reach = (signal: AbortSignal) => Promise<void>;

/** Why what runs the sites does not answer within `ms`; undefined where it does, or where nothing is there to be asked. */
export async function unreached(
  reach: Reach | undefined,
  signal: AbortSignal,
  ms = LEASE_TIMES.awayMs,
): Promise<Error | undefined> {
  if (!reach) return undefined;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return makeAbortable(reach(inTime), inTime).then(
    () => undefined,
    (error) => error as Error,
  );
}

/**
 * One server at a time runs the sites: who has the row of `hosting_lease`, renewed by the database's own clock. A holder
 * that can't renew it ends its sites before anybody else may take it; where nobody else is there to take it, they go on
 * while the database is away. One that does not reach what runs the sites is of no use where another server does.
 */
export function createLease({
  db,
  self,
  times = LEASE_TIMES,
  log,
  isAlone = () => false,
  endLeftovers = async () => {},
  reach,
  mayRunFor = () => {},
  tenure,
}: LeaseParts) {
  const closing = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  let wake: (() => void) | undefined;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  let isAway = false;
  /** Whether what runs the sites answers; that it does no more, or again, is said once. */
  const isReached = async (signal: AbortSignal): Promise<boolean> => {
    const failure = await unreached(reach, signal, times.awayMs);
    if (signal.aborted) return false;
    if (failure && !isAway) log.warn(`what runs the sites does not answer: ${failure.message}`);
    else if (!failure && isAway) log.info('what runs the sites answers again');
    isAway = failure !== undefined;
    return !isAway;
  };

  const keep = async (): Promise<void> => {
    // Only what was held before our first question can be an earlier life's.
    let isFirst = true;
    while (!closing.signal.aborted) {
      if (!(await isReached(closing.signal))) {
        await pause(times.renewMs);
        continue;
      }
      const asked = performance.now();
      const isNew = isFirst && isAlone();
      const generation = await take(db, self, times, isNew).then(
        async (taken) => {
          isFirst = false;
          if (taken === undefined && isNew) await endLeftovers();
          return taken;
        },
        (error) => {
          log.warn({ err: error }, 'the lease on hosting could not be asked for');
          return undefined;
        },
      );
      if (generation === undefined) await pause(times.renewMs);
      else if (closing.signal.aborted) await release(db, self, generation).catch(() => {});
      else await hold(generation, asked);
    }
  };

  const hold = async (generation: number, since: number): Promise<void> => {
    const over = new AbortController();
    const stop = () => over.abort(new LeaseLost());
    let renewedAt = since;
    let reachedAt = since;
    let what = 'has lost the lease on hosting and ends its sites';
    let isWanted = true;
    const isPast = (ms: number) => isWanted && performance.now() > renewedAt + ms;
    // A holder that ends its sites by itself has done so by then, and nobody else has the lease before.
    const tellHowLong = () =>
      mayRunFor(isWanted ? renewedAt + times.holdMs - times.marginMs / 4 - performance.now() : 0);
    const reaching = async () => {
      while (!over.signal.aborted) {
        if (await isReached(over.signal)) reachedAt = performance.now();
        await sleep(times.renewMs, undefined, { signal: over.signal }).catch(() => {});
      }
    };
    // One that is not renewed as it should be does not last as long as a gentle end takes.
    const giveBack = () => (isPast(times.renewMs * OVERDUE) ? stop() : over.abort(new LeaseReturned()));
    closing.signal.addEventListener('abort', giveBack, { once: true });
    log.info({ generation }, 'this server runs the sites');
    // One that ends by itself, or fails, is begun anew.
    const running = tenure(generation, over.signal)
      .catch((error) => {
        if (error !== over.signal.reason)
          log.error({ err: error }, 'sites could not be run, or ended, as they should');
      })
      .finally(stop);
    const expire = setInterval(() => {
      if (isPast(times.holdMs - times.marginMs)) stop();
      else if (isWanted && performance.now() > reachedAt + times.awayMs) {
        what = 'gives up the lease on hosting: another server may reach what runs the sites';
        stop();
      }
    }, 100);
    void reaching();
    while (!over.signal.aborted) {
      await pause(times.renewMs);
      if (over.signal.aborted) break;
      const asked = performance.now();
      const renewed = await makeAbortable(renew(db, self, generation, times), over.signal).catch((error) => {
        if (!over.signal.aborted) log.warn({ err: error }, 'the lease on hosting could not be renewed');
        return undefined;
      });
      if (renewed === 'lost') stop();
      else if (renewed) {
        renewedAt = asked;
        isWanted = renewed === 'wanted';
        tellHowLong();
      }
    }
    clearInterval(expire);
    closing.signal.removeEventListener('abort', giveBack);
    if (!closing.signal.aborted) log.error({ generation }, `this server ${what}`);
    await running;
    mayRunFor(0);
    await release(db, self, generation).catch(() => {});
  };

  return {
    start(): void {
      ended = keep();
    },
    /** Ends the tenure, if there is one, and lets the next server have the lease at once. */
    async close(): Promise<void> {
      closing.abort();
      wake?.();
      await ended;
    },
  };
}

async function take(
  db: Kysely<unknown>,
  { server, machine, address, outlives, cluster }: Omit<LeaseHolder, 'generation'>,
  { holdMs }: LeaseTimes,
  alone: boolean,
): Promise<number | undefined> {
  // What outlived the holder before is where it was until the new one, who can find it, has looked.
  const { rows } = await sql<{ generation: string }>`
    with before as (select machine, outlives, cluster from hosting_lease),
    taken as (
      insert into hosting_lease as lease (server, machine, address, outlives, cluster, generation, held_until)
      values (${server}, ${machine}, ${address}, ${outlives}, ${cluster}, 1, clock_timestamp() + ${holdMs} * interval '1 millisecond')
      on conflict (is_the_one) do update set server = excluded.server, machine = excluded.machine, address = excluded.address,
        outlives = excluded.outlives, cluster = excluded.cluster, generation = lease.generation + 1, held_until = excluded.held_until, wanted_at = null
      where lease.held_until < clock_timestamp() or (${alone} and lease.machine = excluded.machine)
      returning generation, machine, outlives, cluster),
    kept as (
      update instances set generation = taken.generation from taken, before
      where instances.generation = taken.generation - 1 and instances.state = 'serving'
        and before.outlives and taken.outlives
        and (before.machine = taken.machine or before.cluster = taken.cluster))
    select generation from taken`.execute(db);
  if (rows[0]) return Number(rows[0].generation);
  await sql`update hosting_lease set wanted_at = clock_timestamp()`.execute(db);
  return undefined;
}

async function renew(
  db: Kysely<unknown>,
  { server }: Omit<LeaseHolder, 'generation'>,
  generation: number,
  { holdMs }: LeaseTimes,
): Promise<'lost' | 'wanted' | 'ours alone'> {
  const { rows } = await sql<{ is_wanted: boolean }>`
    update hosting_lease set held_until = clock_timestamp() + ${holdMs} * interval '1 millisecond'
    where server = ${server} and generation = ${generation}
    returning coalesce(wanted_at > clock_timestamp() - ${holdMs} * interval '1 millisecond', false) as is_wanted`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return 'lost';
  return row.is_wanted ? 'wanted' : 'ours alone';
}

async function release(
  db: Kysely<unknown>,
  { server }: Omit<LeaseHolder, 'generation'>,
  generation: number,
): Promise<void> {
  // Also where nobody is there to take it, every gateway hears that sites are not where they were.
  await sql`
    with given_back as (
      update hosting_lease set held_until = clock_timestamp() - interval '1 second'
      where server = ${server} and generation = ${generation} returning generation)
    select pg_notify('simcha_environments', '') from given_back`.execute(db);
}
