import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import { onceThere } from '../../kernel/database/once-there.ts';
import type { Logger } from '../../kernel/log.ts';
import { createTurns } from '../../kernel/turns.ts';
import { RuntimeFailure } from '../builds/failure.ts';
import type { Sites } from '../gateway/sites.ts';
import type { Logs } from '../logs/logs.ts';
import { createRedactor } from '../logs/redaction.ts';
import { shown } from '../logs/shown.ts';
import { type Reason, reason, say } from '../reasons/reason.ts';
import type { Artifact, Instance, Journal, Runtime, Variables } from '../runtimes/runtime.ts';
import { createGate } from './gate.ts';
import { waitUntilHealthy } from './health.ts';
import { backOffMs, STEADY_MS } from './lifecycle.ts';
import { messages } from './messages.ts';
import type { DeploymentStore, SiteRow } from './store.ts';

/** Everything an instance is started from. */
export interface Launch {
  applicationId: string;
  deploymentId: string;
  releaseId: string;
  commit: string;
  /** The site's full address. */
  address: string;
  artifact: Artifact;
  variables: Variables;
  /** The site's own host names, without a port. */
  hosts: string[];
  healthPath: string;
}

export interface RunningParts {
  runtime: Runtime;
  sites: Sites;
  store: DeploymentStore;
  logs: Logs;
  log: Logger;
  clock: Clock;
  healthMs: number;
  drainMs: number;
  /** What a site's row is started from; undefined when its application or its release is gone. */
  hostsOf: (application: { subdomain: string }) => string[];
  launchOf: (row: SiteRow) => Promise<Launch | undefined>;
}

interface Current {
  launch: Launch;
  instance: Instance;
  since: number;
}

const GRACE_MS = 5_000;
/** At a start of the server many sites come back together; a machine has only so many cores. Files need none. */
const AT_ONCE = 4;

export type RunningSites = ReturnType<typeof createRunningSites>;

/** The instances that serve, and how one follows another: started, healthy, switched to, drained, stopped. */
export function createRunningSites(parts: RunningParts) {
  const { runtime, sites, store, logs, log, clock, healthMs, drainMs, hostsOf, launchOf } = parts;
  const current = new Map<string, Current>();
  const reviving = new Map<string, AbortController>();
  const ends = new Map<string, number>();
  const leaving = new Set<Promise<void>>();
  const inTurn = createTurns();
  const throughGate = createGate(AT_ONCE);
  const closing = new AbortController();

  const writeOutput = (applicationId: string, lines: readonly string[]): void =>
    logs.write.put(applicationId, timestamp(clock()), lines);

  /** Drains and stops an instance that no longer serves, without keeping anybody waiting. */
  const retire = ({ instance }: Current): void => {
    const gone = sites.drain(instance.target, drainMs).then(() => instance.stop(GRACE_MS));
    leaving.add(gone);
    gone
      .catch((error) => log.error({ err: error }, 'a site that was replaced could not be stopped'))
      .finally(() => leaving.delete(gone));
  };

  const serve = (launch: Launch, instance: Instance): void => {
    const { applicationId, hosts } = launch;
    const before = current.get(applicationId);
    const now: Current = { launch, instance, since: performance.now() };
    reviving.get(applicationId)?.abort();
    current.set(applicationId, now);
    sites.set(applicationId, { hosts, state: 'live', target: instance.target });
    if (before) retire(before);
    void instance.ended.then((how) => {
      if (current.get(applicationId) === now && !closing.signal.aborted) void lose(now, how);
    });
  };

  const lose = async ({ launch, since }: Current, how: Reason): Promise<void> => {
    const { applicationId, hosts } = launch;
    current.delete(applicationId);
    sites.set(applicationId, { hosts, state: 'down' });
    const steady = performance.now() - since >= STEADY_MS;
    ends.set(applicationId, steady ? 1 : (ends.get(applicationId) ?? 0) + 1);
    await revive(applicationId, how).catch((error) =>
      log.error({ err: error }, 'a site could not be restarted'),
    );
  };

  /** Asks the database, and waits for one that is away: no site stays down because it was. */
  const ask = <T>(query: () => Promise<T>, signal: AbortSignal): Promise<T> =>
    onceThere(query, {
      signal,
      onAway: (error, tries) => tries === 1 && log.warn({ err: error }, 'sites wait for the database'),
    });

  /** Starts a site again from its row, as often as it takes, until it stands or is somebody else's business. */
  const revive = async (applicationId: string, ended?: Reason): Promise<void> => {
    const giveUp = new AbortController();
    reviving.get(applicationId)?.abort();
    reviving.set(applicationId, giveUp);
    const signal = AbortSignal.any([giveUp.signal, closing.signal]);
    try {
      for (let how = ended; !signal.aborted; ) {
        const row = await ask(() => store.site(applicationId), signal);
        if (!row || row.state === 'stopped') return;
        if (how !== undefined) {
          const wait = backOffMs(ends.get(applicationId) ?? 1);
          const noted = { state: 'down' as const, note: reason('site_ended', { how }), ended: true };
          if (!(await ask(() => store.noteSite(row, noted, clock()), signal))) return;
          writeOutput(applicationId, [messages.log.siteRestarts(say(how, 'en'), wait / 1_000)]);
          await sleep(wait, undefined, { signal });
        }
        const kind = (await ask(() => launchOf(row), signal))?.artifact.kind;
        const bringBack = () => reviveOnce(row, signal);
        const outcome = await (kind === 'server' ? throughGate(bringBack) : bringBack());
        if (outcome === undefined) return;
        how = outcome;
        ends.set(applicationId, (ends.get(applicationId) ?? 0) + 1);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (reviving.get(applicationId) === giveUp) reviving.delete(applicationId);
    }
  };

  /** How it failed; undefined when there is nothing more to do. */
  const reviveOnce = async (row: SiteRow, signal: AbortSignal): Promise<Reason | undefined> => {
    const launch = await ask(() => launchOf(row), signal);
    if (!launch) {
      leaveDown(row);
      return undefined;
    }
    sites.set(launch.applicationId, { hosts: launch.hosts, state: 'starting' });
    try {
      const instance = await start(launch, signal);
      return await inTurn(launch.applicationId, async () => {
        const noted = { state: 'live' as const, note: null, ended: false };
        const wanted = await unlessFailing(instance, async () => {
          return !signal.aborted && (await ask(() => store.noteSite(row, noted, clock()), signal));
        });
        if (wanted && !signal.aborted) serve(launch, instance);
        else await instance.stop(0);
        return undefined;
      });
    } catch (error) {
      if (signal.aborted) throw error;
      sites.set(launch.applicationId, { hosts: launch.hosts, state: 'down' });
      if (error instanceof RuntimeFailure) {
        return reason('did_not_come_back', { why: error.reason });
      }
      // Such as a full disk: it may have room again when the site's turn comes again.
      log.error({ err: error, application: launch.applicationId }, 'a site could not be started');
      return reason('did_not_come_back', { why: reason('our_fault') });
    }
  };

  /** Visitors of a site that nobody brings back are not told that it is starting. */
  const leaveDown = (row: SiteRow): void => {
    const { application_uuid: applicationId } = row;
    if (!current.has(applicationId)) sites.set(applicationId, { hosts: hostsOf(row), state: 'down' });
  };

  /**
   * A healthy instance that does not serve yet; what it writes until then goes to the journal too.
   * Throws a RuntimeFailure when it does not come up.
   */
  const start = async (launch: Launch, signal: AbortSignal, journal?: Journal): Promise<Instance> => {
    const { applicationId, releaseId, artifact, variables, hosts, healthPath } = launch;
    const { address, commit, deploymentId } = launch;
    signal.throwIfAborted();
    const hide = createRedactor(Object.values(variables));
    let starting = journal;
    const instance = await runtime.start({
      applicationId,
      releaseId,
      facts: { address, commit, deploymentId },
      artifact,
      variables,
      output(lines) {
        writeOutput(
          applicationId,
          lines.map((line) => shown(line, hide)),
        );
        starting?.output(lines);
      },
    });
    try {
      if (instance.target.kind === 'server') {
        await waitUntilHealthy({
          origin: instance.target.origin,
          path: healthPath,
          host: hosts[0] ?? 'localhost',
          withinMs: healthMs,
          ended: instance.ended,
          signal,
        });
      }
      return instance;
    } catch (error) {
      await instance.stop(0);
      throw error;
    } finally {
      starting = undefined;
    }
  };

  return {
    start,

    /** `record` makes it the site's own in the database; then, and only then, it takes the traffic. */
    promote(launch: Launch, instance: Instance, record: () => Promise<void>): Promise<void> {
      return inTurn(launch.applicationId, async () => {
        await unlessFailing(instance, record);
        ends.delete(launch.applicationId);
        serve(launch, instance);
      });
    },

    /** What visitors find while the first version of a site is being made. */
    announce(applicationId: string, hosts: string[]): void {
      if (!current.has(applicationId)) sites.set(applicationId, { hosts, state: 'starting' });
    },

    /** Undoes `announce` when the first version did not come up. */
    async withdraw(applicationId: string, hosts: string[]): Promise<void> {
      if (current.has(applicationId)) return;
      const row = await store.site(applicationId);
      if (row) sites.set(applicationId, { hosts, state: row.state === 'stopped' ? 'stopped' : 'down' });
      else sites.remove(applicationId);
    },

    serves: (applicationId: string): boolean => current.has(applicationId),

    /** It is on record: nothing new reaches the site, and it ends when it has finished what it has. */
    stop(applicationId: string, hosts: string[]): Promise<void> {
      return inTurn(applicationId, async () => {
        // It may have been started again in between; a database that can't say so by now did say that it is stopped.
        const row = await store.site(applicationId).catch(() => undefined);
        if (row && row.state !== 'stopped') return;
        reviving.get(applicationId)?.abort();
        const before = current.get(applicationId);
        current.delete(applicationId);
        sites.set(applicationId, { hosts, state: 'stopped' });
        if (before) retire(before);
      });
    },

    /** The application is gone: its site ends when it has finished what it has. */
    remove(applicationId: string): Promise<void> {
      return inTurn(applicationId, async () => {
        reviving.get(applicationId)?.abort();
        const before = current.get(applicationId);
        current.delete(applicationId);
        sites.remove(applicationId);
        if (!before) return;
        await sites.drain(before.instance.target, drainMs);
        await before.instance.stop(GRACE_MS);
      });
    },

    /** The site's host names have changed. */
    rename(applicationId: string, hosts: string[]): Promise<void> {
      return inTurn(applicationId, async () => {
        const now = current.get(applicationId);
        if (!now) return;
        now.launch.hosts = hosts;
        sites.set(applicationId, { hosts, state: 'live', target: now.instance.target });
      });
    },

    /** Brings every site back to what it was in an earlier life of the server. Resolves when each has been tried. */
    async resume(): Promise<void> {
      const rows = await ask(() => store.sites(), closing.signal);
      for (const { application_uuid, subdomain, state } of rows) {
        sites.set(application_uuid, {
          hosts: hostsOf({ subdomain }),
          state: state === 'stopped' ? 'stopped' : 'starting',
        });
      }
      await Promise.all(
        rows.map((row) =>
          revive(row.application_uuid).catch((error) => {
            log.error({ err: error }, 'a site could not be brought back');
            leaveDown(row);
          }),
        ),
      );
    },

    /** Ends every site, politely at first. */
    async close(): Promise<void> {
      closing.abort();
      const now = [...current.values()];
      current.clear();
      await Promise.all([...now.map(({ instance }) => instance.stop(GRACE_MS)), ...leaving]);
    },
  };
}

/** An instance whose record can't be written must not go on unknown to anybody. */
async function unlessFailing<T>(instance: Instance, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await instance.stop(0);
    throw error;
  }
}
