import { setTimeout as sleep } from 'node:timers/promises';
import { makeAbortable } from '../../kernel/abortable.ts';
import { type Clock, toTimestamp } from '../../kernel/clock.ts';
import { waitForDatabase } from '../../kernel/database/wait-for-database.ts';
import { createFairQueue } from '../../kernel/fair-queue.ts';
import { newId } from '../../kernel/identifiers.ts';
import { createKeyedLock } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Builder, BuildLog } from '../builds/builder.ts';
import { messages } from '../deployments/messages.ts';
import type { TableSync } from '../gateway/table-sync.ts';
import type { Logs } from '../logs/logs.ts';
import { createRedactor } from '../logs/redaction.ts';
import { sanitizedOutput } from '../logs/sanitized-output.ts';
import type { Artifact } from '../model/artifact.ts';
import type { BackendLocation } from '../model/backend-location.ts';
import { isResting, type SiteRow } from '../model/deployment-rows.ts';
import type { Launch } from '../model/launch.ts';
import { LeaseLost } from '../model/lease-fence.ts';
import { backOffMs, STEADY_MS } from '../model/lifecycle.ts';
import { WEB } from '../model/plan.ts';
import { createQuote } from '../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { packageErrorIn } from '../model/reasons/package-error.ts';
import { describeReason, type Reason, type ReasonCode, reason } from '../model/reasons/reason.ts';
import { shortageOf } from '../model/reasons/shortage.ts';
import { BySlot, isDesired, type Slot, slotGroupsOf, slotsOf } from '../model/slots.ts';
import { isAnswering, ListensElsewhere, waitUntilHealthy } from './health.ts';
import { type Following, type Instances, LAST_LINES_MS, type Live, mark, marked } from './instances.ts';
import type { Records } from './records/records.ts';
import { followReplicas, type ReplicaState } from './replicas.ts';

export interface RunningParts {
  instances: Instances;
  builder: Pick<Builder, 'has'>;
  records: Pick<Records, 'instances' | 'builds'>;
  site: (environmentId: string) => Promise<SiteRow | undefined>;
  logs: Logs;
  log: Logger;
  clock: Clock;
  healthMs: number;
  /** How long a site may answer nothing; 0: for ever. */
  silentMs: number;
  drainMs: number;
  /** What a slot of a site's row is started from; undefined when its application or its release is gone. */
  launchOf: (row: SiteRow, slot: Slot) => Promise<Launch | undefined>;
  /** The artifact to start, made again first where this machine has not got it. */
  atHand: (launch: Launch, signal: AbortSignal, journal: BuildLog) => Promise<Artifact>;
  switchTo: TableSync['switchTo'];
  /** The lease is ours until then. */
  tenure: AbortSignal;
}

interface Current extends Live {
  launch: Launch;
  since: number;
}

const GRACE_MS = 5_000;
/** The same once the lease is lost: well within what is left of it. */
const SHORT_GRACE_MS = 2_000;
/** At a start of the server many sites come back together; a machine has only so many cores. Files need none. */
const AT_ONCE = 4;
/** One that is not there by then does not work hard, and keeps nobody waiting. */
const STARTING_MS = 5_000;
/** Whoever has its turn may be waiting for the database. */
const LONGEST_TURN_MS = 3_600_000;
/** Requests wait for a site that ended by itself and is started again after no more than that. */
const SOON_MS = 2_000;
/** So long requests wait for a site of which nothing answers. */
const COMING_BACK_MS = 10_000;
/** How often the gateways are asked whether they have finished with an instance. */
const LET_GO_MS = 100;
/** How often a site is looked at in the time that it may be silent: one lost question is no sign. */
const LOOKS = 6;
/** Before the lease runs out, with the grace that follows. */
const CLOSING_MS = 2_000;

function hostOf({ address }: Launch): string {
  return new URL(address).hostname;
}

/** Why something did not come back. */
function whyOf({ code, params: { why } }: Reason): string | undefined {
  return code === 'did_not_come_back' && typeof why === 'object' ? why.code : undefined;
}

const AWAY: ReasonCode = 'engine_away';
/** What keeps a release from coming back here, time after time: it is told once. */
const LASTING: ReadonlySet<string | undefined> = new Set<ReasonCode>(['dockerfile_only', AWAY]);
/** What is away is no reason to wait for longer each time. */
const AWAY_MS = 5_000;

function takesRequests({ launch }: Pick<Current, 'launch'>): boolean {
  return launch.process === WEB;
}

export type RunningSites = ReturnType<typeof createRunningSites>;

/**
 * The instances that this server runs while it holds the lease, and how one follows another: started, healthy, serving,
 * drained, stopped. Where requests go stands in the database alone, for every gateway to read.
 */
export function createRunningSites(parts: RunningParts) {
  const { instances, builder, records, logs, log, clock, healthMs, silentMs, drainMs, launchOf } = parts;
  const closing = new AbortController();
  // Also one that fails ends what it began.
  const tenure = AbortSignal.any([parts.tenure, closing.signal]);
  const current = new BySlot<Current>();
  const reviving = new BySlot<AbortController>();
  /** What begins, and below what ends: each with its environment. */
  const revivals = new Map<Promise<void>, string>();
  const ends = new BySlot<number>();
  /** Where a former release's process ends before its successor begins. */
  const parting = new BySlot<true>();
  /** Environments of which nothing is started but what a deployment starts. */
  const aside = new Set<string>();
  const leaving = new Map<Promise<void>, string>();
  /** Instances that were asked to end, and may take long for that. */
  const lingering = new Set<string>();
  const withLock = createKeyedLock(LONGEST_TURN_MS);
  const inQueue = createFairQueue(AT_ONCE, { roomAfterMs: STARTING_MS });

  /** Asks the database, and waits for one that is away, to the tenure's end: no site stays down because it was. */
  const ask = <T>(query: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const onAway = (error: unknown) => log.warn({ err: error }, 'sites wait for the database');
    return makeAbortable(waitForDatabase(query, { signal, onAway }), tenure);
  };

  /** What we say ourselves in a site's log. */
  const writeOutput = (environmentId: string, lines: readonly string[]): void =>
    logs.write.put(environmentId, toTimestamp(clock()), lines);

  /** The same of what became of a process: `what` goes on after its name, or that it is the site. */
  const tellOf = (slot: Slot, isOneOfSeveral: boolean, what: string): void =>
    writeOutput(slot.environmentId, [isOneOfSeveral ? `${marked(slot)}${what}` : `the site ${what}`]);

  /** Ends an instance and forgets it. */
  const end = async ({ id }: Pick<Live, 'id'>, graceMs: number): Promise<void> => {
    await instances.stop(id, graceMs);
    await records.instances
      .remove(id)
      .catch((error) => log.warn({ err: error }, 'an instance that ended is still on record'));
  };

  /** Waits until no gateway has a request under way to it. */
  const letGo = async (id: string, mostMs: number, until: AbortSignal): Promise<void> => {
    for (const deadline = performance.now() + mostMs; performance.now() < deadline && !until.aborted; ) {
      if (await makeAbortable(records.instances.isDrained(id), until).catch(() => false)) return;
      await sleep(LET_GO_MS);
    }
  };

  /** How long one may take to end once it is asked to: as long as its visitors' WebSockets, unless its next version waits for that. */
  const graceOf = async ({ id, launch }: Current): Promise<number> => {
    const isHurried = () => tenure.aborted || aside.has(launch.environmentId);
    if (isHurried()) return GRACE_MS;
    const hasTunnels = await makeAbortable(records.instances.hasTunnels(id), tenure).catch(() => false);
    return hasTunnels && !isHurried() ? drainMs : GRACE_MS;
  };
  /** Lets an instance that no longer serves finish, then ends it, without keeping anybody waiting. */
  const retire = (one: Current): Promise<void> => {
    const finish = async () => {
      if (!takesRequests(one)) return end(one, GRACE_MS);
      await letGo(one.id, drainMs, tenure);
      const graceMs = await graceOf(one);
      lingering.add(one.id);
      await end(one, graceMs).finally(() => lingering.delete(one.id));
    };
    return leave(one, finish());
  };

  const leave = ({ launch }: Current, gone: Promise<void>): Promise<void> => {
    leaving.set(gone, launch.environmentId);
    gone
      .catch((error) => log.error({ err: error }, 'a site that serves no more could not be stopped'))
      .finally(() => leaving.delete(gone));
    return gone;
  };

  /** It runs in its slot, and the database says so already. */
  const serve = (launch: Launch, started: Live): void => {
    const before = current.get(launch);
    const now: Current = { ...started, launch, since: performance.now() };
    reviving.get(launch)?.abort();
    current.set(launch, now);
    if (before) replaced(before, launch);
    void started.ended.then((how) => {
      if (current.get(launch) === now && !tenure.aborted) void lose(now, how);
    });
    void attend(now).catch((error) => {
      if (!tenure.aborted) log.error({ err: error }, 'a site is not looked at any more');
    });
  };

  const replaced = (before: Current, by: Launch): void => {
    writeOutput(by.environmentId, [`${mark(before.launch)}${messages.log.siteReplaced(by.commit)}`]);
    void retire(before);
  };

  /** Looks at what takes requests for as long as it serves; what hangs is ended and started again. */
  const attend = async (one: Current): Promise<void> => {
    const isStill = () => current.get(one.launch) === one;
    const [target] = one.targets;
    const how = await (one.following
      ? followAll(one, one.following, isStill)
      : target && untilSilent(one.launch, target, tenure, isStill));
    if (how && isStill()) void lose(one, how);
  };

  /** Resolves once its runtime has it no more; before, with how, where all of it hangs. */
  const followAll = async (
    one: Current,
    { first, changes }: Following,
    isStill: () => boolean,
  ): Promise<Reason | undefined> => {
    const { id: instanceId, launch } = one;
    const { environmentId, deploymentId } = launch;
    const site = { environment_id: environmentId, deployment_uuid: deploymentId };
    let note: Reason | null = null;
    let emptySince: number | undefined;
    const write = async (standing: ReplicaState, down: boolean): Promise<void> => {
      if (!isStill()) return;
      const targets = standing.origins.map((origin) => ({ kind: 'server' as const, origin }));
      const { numbers, news } = standing;
      const told = { targets, numbers, news, note, down };
      await ask(
        () => records.instances.noteReplicas({ instanceId, site, slot: launch }, told, clock()),
        tenure,
      );
    };
    const tell = async (standing: ReplicaState): Promise<void> => {
      for (const { number, note: how, ended } of standing.news) {
        note = how ?? note;
        const told = ended ? messages.log.replicaFell : messages.log.replicaSilent;
        if (how && isStill())
          tellOf({ ...launch, number }, launch.isOneOfSeveral, told(describeReason(how, 'en')));
      }
      await write(standing, false);
      const isEmpty = takesRequests(one) && standing.origins.length === 0;
      const since = isEmpty ? (emptySince ?? performance.now()) : undefined;
      if (since !== undefined && emptySince === undefined) void sayDown(since);
      emptySince = since;
    };
    /** Nobody waits for longer for one that does not come back. */
    const sayDown = async (since: number): Promise<void> => {
      await sleep(COMING_BACK_MS, undefined, { ref: false });
      if (emptySince !== since || tenure.aborted) return;
      await write({ origins: [], numbers: [], news: [] }, true).catch((error) => {
        if (!tenure.aborted) log.warn({ err: error }, 'that a site is down could not be noted');
      });
    };
    return followReplicas({
      first,
      changes: changes(tenure),
      listens: takesRequests(one),
      tell,
      signal: tenure,
      answers: (origin, signal) =>
        waitUntilHealthy({
          origin,
          path: launch.healthPath,
          host: hostOf(launch),
          withinMs: healthMs,
          signal,
          ended: new Promise(() => {}),
        }),
      falls: async (origin, signal) => {
        const how = await untilSilent(launch, { kind: 'server', origin }, signal);
        return how ?? new Promise(() => {});
      },
      whyNot: (error) => (error instanceof RuntimeFailure ? error.reason : reason('our_fault')),
    });
  };

  /** Resolves, with how, once it has answered nothing for too long; with nothing once that is nobody's business. */
  const untilSilent = async (
    launch: Launch,
    target: BackendLocation,
    until: AbortSignal,
    isStill = () => true,
  ): Promise<Reason | undefined> => {
    if (silentMs === 0) return undefined;
    const everyMs = Math.ceil(silentMs / LOOKS);
    // The first of those looks is the last one that was answered.
    for (let misses = 0; misses < LOOKS - 1; ) {
      const [isUp] = await Promise.all([
        isThere(launch, target, everyMs, until),
        sleep(everyMs, undefined, { signal: until, ref: false }),
      ]);
      misses = isUp ? 0 : misses + 1;
      if (!isStill()) return undefined;
    }
    return target.kind === 'files' ? reason('files_gone') : reason('silent', { seconds: silentMs / 1_000 });
  };

  const isThere = (
    launch: Launch,
    target: BackendLocation,
    withinMs: number,
    until: AbortSignal,
  ): Promise<boolean> => {
    if (target.kind !== 'server') return builder.has(launch, launch.artifact, until);
    const question = { origin: target.origin, path: launch.healthPath, host: hostOf(launch) };
    return isAnswering(question, withinMs, until);
  };

  const lose = async (lost: Current, how: Reason): Promise<void> => {
    const { launch } = lost;
    current.delete(launch);
    // Also one that has ended: it is forgotten.
    void leave(lost, instances.stop(lost.id, GRACE_MS));
    const steady = performance.now() - lost.since >= STEADY_MS;
    ends.set(launch, steady ? 1 : (ends.get(launch) ?? 0) + 1);
    await ask(() => records.instances.remove(lost.id), tenure)
      .then(() => revive(launch, how))
      .catch((error) => {
        if (!tenure.aborted) log.error({ err: error }, 'a site could not be restarted');
      });
  };

  /** Begins to bring a slot's process back, in place of whoever does so already; nobody waits for it. */
  const revive = ({ environmentId, process, number }: Slot, ended?: Reason): void => {
    if (aside.has(environmentId)) return;
    const slot = { environmentId, process, number };
    const giveUp = new AbortController();
    const signal = AbortSignal.any([giveUp.signal, tenure]);
    reviving.get(slot)?.abort();
    reviving.set(slot, giveUp);
    const done = bringBack(slot, ended, signal)
      .catch((error) => {
        if (!signal.aborted) log.error({ err: error }, 'a site could not be restarted');
      })
      .finally(() => {
        if (reviving.get(slot) === giveUp) reviving.delete(slot);
        revivals.delete(done);
      });
    revivals.set(done, environmentId);
  };

  /** Starts a process again from its site's row, as often as it takes, until it stands or is somebody else's business. */
  const bringBack = async (slot: Slot, ended: Reason | undefined, signal: AbortSignal): Promise<void> => {
    const { environmentId } = slot;
    let stays: string | undefined;
    for (let how = ended; !signal.aborted; ) {
      const row = await ask(() => parts.site(environmentId), signal);
      if (!row || !isDesired(row, slot)) return;
      if (how !== undefined) {
        const wait = whyOf(how) === AWAY ? AWAY_MS : backOffMs(ends.get(slot) ?? 1);
        // One that served a moment ago most likely serves again in a moment.
        const soon = how === ended && wait <= SOON_MS;
        const note = reason('site_ended', { how });
        if (!(await ask(() => records.instances.noteDown(row, slot, { note, soon }, clock()), signal)))
          return;
        const isOneOfSeveral = slotsOf(row).length > 1;
        const said = whyOf(how) === AWAY ? messages.log.engineAway : describeReason(how, 'en');
        if (!LASTING.has(whyOf(how))) {
          tellOf(slot, isOneOfSeveral, messages.log.siteRestarts(said, wait / 1_000));
        } else if (said !== stays) {
          stays = said;
          tellOf(slot, isOneOfSeveral, messages.log.siteStays(said));
        }
        await sleep(wait, undefined, { signal });
      }
      const launch = await launchFor(row, slot, signal);
      how =
        'code' in launch
          ? reason('did_not_come_back', { why: launch })
          : await bringBackOnce(row, launch, signal);
      if (how === undefined) return;
      if (whyOf(how) !== AWAY) ends.set(slot, (ends.get(slot) ?? 0) + 1);
    }
  };

  /** For what is done for a site outside any deployment. */
  const siteJournal = (launch: Launch): BuildLog => {
    const { environmentId, variables } = launch;
    const hide = createRedactor(Object.values(variables));
    const output = (lines: readonly string[]) =>
      writeOutput(
        environmentId,
        lines.map((line) => `${mark(launch)}${sanitizedOutput(line, hide)}`),
      );
    return { hide, output, write: (line) => output([line]), step: (_name, work) => work() };
  };

  /** What a site is started from, or why that can't be had. */
  const launchFor = async (row: SiteRow, slot: Slot, signal: AbortSignal): Promise<Launch | Reason> => {
    try {
      return (await ask(() => launchOf(row, slot), signal)) ?? reason('release_gone');
    } catch (error) {
      if (signal.aborted) throw error;
      // Such as a key that is not there any more.
      log.error({ err: error, application: row.application_uuid }, 'a site could not be started');
      return reason('our_fault');
    }
  };

  /** How it failed; undefined when there is nothing more to do. */
  const bringBackOnce = async (
    row: SiteRow,
    launch: Launch,
    signal: AbortSignal,
  ): Promise<Reason | undefined> => {
    try {
      const artifact = await parts.atHand(launch, signal, siteJournal(launch));
      const begin = () => start({ ...launch, artifact }, signal);
      const started = await (artifact.kind === 'files' ? begin() : inQueue(row.environment_id, begin));
      await inTurnWith([started], row.environment_id, async () => {
        const wanted =
          !signal.aborted &&
          (await ask(() => records.instances.noteServing(row, launch, started.id, clock()), signal));
        if (wanted && !signal.aborted) serve(launch, started);
        else await end(started, 0);
      });
      return undefined;
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLost) throw error;
      if (error instanceof RuntimeFailure) return reason('did_not_come_back', { why: error.reason });
      const shortage = shortageOf(error);
      if (shortage) return reason('did_not_come_back', { why: shortage });
      log.error({ err: error, application: launch.applicationId }, 'a site could not be started');
      return reason('did_not_come_back', { why: reason('our_fault') });
    }
  };

  /** Instances whose record can't be written must not go on unknown to anybody. */
  const inTurnWith = async (
    started: readonly Live[],
    environmentId: string,
    work: () => Promise<void>,
  ): Promise<void> => {
    try {
      await withLock(environmentId, work);
    } catch (error) {
      await Promise.all(started.map((one) => end(one, 0)));
      throw error;
    }
  };

  /**
   * An instance that does not serve yet, healthy where it takes requests; what it writes until then goes to the journal too.
   * Throws a RuntimeFailure when it does not come up. One that listens elsewhere than it was told is started again as it
   * listens.
   */
  const start = async (launch: Launch, signal: AbortSignal, journal?: BuildLog): Promise<Live> => {
    try {
      return await startOnce(launch, signal, journal);
    } catch (error) {
      if (!(error instanceof ListensElsewhere)) throw error;
      const { port } = error;
      (journal ?? siteJournal(launch)).write(messages.log.listensElsewhere(port));
      await records.builds.notePort(launch.releaseId, port);
      return startOnce({ ...launch, plan: { ...launch.plan, port } }, signal, journal);
    }
  };

  const startOnce = async (launch: Launch, signal: AbortSignal, journal?: BuildLog): Promise<Live> => {
    signal.throwIfAborted();
    const id = newId();
    const { environmentId, deploymentId, process, number, replicas } = launch;
    const files = launch.artifact.kind === 'files' ? filesOf(id, launch) : undefined;
    await records.instances.begin(
      {
        instance_id: id,
        environment_id: environmentId,
        deployment_uuid: deploymentId,
        process,
        number,
        numbers: Array.from({ length: replicas }, (_, index) => number + index),
        targets: files?.targets,
      },
      clock(),
    );
    if (files) return files;
    const quote = createQuote({
      ...(journal ?? { hide: createRedactor(Object.values(launch.variables)), output() {} }),
      hintOf: packageErrorIn,
    });
    let starting: typeof quote | undefined = quote;
    const over = new AbortController();
    try {
      const also = { ...quote, add: (lines: readonly string[]) => starting?.add(lines) };
      const live = await instances.start(id, launch, also, signal);
      if (live.pinnedTo !== undefined) journal?.write(messages.log.pinned(live.pinnedTo));
      const origins = live.targets.flatMap((target) => (target.kind === 'server' ? [target.origin] : []));
      if (origins.length > 0)
        journal?.write(messages.log.awaited(launch.healthPath, live.port, healthMs / 1_000));
      const check = {
        path: launch.healthPath,
        host: hostOf(launch),
        withinMs: healthMs,
        port: live.port,
        listening: () => instances.listening(id),
        isToFind: launch.plan.port === undefined,
        ended: live.following
          ? Promise.race([live.ended, firstFall(live.following, over.signal)])
          : live.ended,
        quote,
        signal,
      };
      await Promise.all(origins.map((origin) => waitUntilHealthy({ ...check, origin })));
      if (live.targets.length > 0) await records.instances.noteTargets(id, live.targets);
      return live;
    } catch (error) {
      await end({ id }, 0).catch((failure) => log.warn({ err: failure }, 'an instance could not be ended'));
      throw error;
    } finally {
      starting = undefined;
      over.abort();
    }
  };

  /** How the first of several ended, once what it said last has come through. */
  const firstFall = async ({ changes }: Following, signal: AbortSignal): Promise<Reason> => {
    for await (const replicas of changes(signal)) {
      const how = replicas.find(({ down }) => down)?.down;
      if (!how) continue;
      await sleep(LAST_LINES_MS, undefined, { ref: false });
      return how;
    }
    return new Promise(() => {});
  };

  /** The gateway serves them by itself: they are there at once, and don't end. */
  const filesOf = (id: string, { applicationId, buildId, plan: { spa } }: Launch): Live => ({
    id,
    targets: [{ kind: 'files', applicationId, buildId, ...(spa && { spa }) }],
    ended: new Promise(() => {}),
  });

  /** Takes an instance out of its slot; it ends once the gateways know. */
  const takeOut = async (one: Current): Promise<void> => {
    current.delete(one.launch);
    if (takesRequests(one)) {
      await records.instances
        .noteDraining(one.id)
        .catch((error) => log.warn({ err: error }, 'a site that ends is still on record'));
    }
    await retire(one);
  };

  /** What runs of it has no requests to wait for any more once the gateways know, and ends. */
  const takeDown = async (environmentId: string): Promise<void> => {
    for (const giveUp of reviving.of(environmentId)) giveUp.abort();
    const before = current.of(environmentId);
    if (before.length === 0) return;
    writeOutput(environmentId, [messages.log.siteEnds]);
    await Promise.all(before.map(takeOut));
  };

  /** Brings the processes of a site that is to run in line with what is asked for. */
  const followSite = (row: SiteRow): void => {
    const { environment_id: environmentId, deployment_uuid: deploymentId } = row;
    if (aside.has(environmentId)) return;
    const onRecord = new Set(row.serving.map(({ id }) => id));
    for (const one of current.of(environmentId)) {
      const { launch } = one;
      if (!isDesired(row, launch)) {
        writeOutput(environmentId, [`${mark(launch)}${messages.log.processEnds}`]);
        void takeOut(one).catch(() => {});
      } else if (!takesRequests(one) && launch.deploymentId !== deploymentId) {
        // A former release's: not beside its successor, so that what is to be done is done once.
        current.delete(launch);
        parting.set(launch, true);
        void retire(one)
          .catch(() => {})
          .then(() => {
            parting.delete(launch);
            if (isFree(launch) && !tenure.aborted) revive(launch);
          });
      } else if (!onRecord.has(one.id)) {
        // What nobody is told of serves nobody.
        current.delete(launch);
        void retire(one);
      }
    }
    for (const { replicas, ...slot } of slotGroupsOf(row, instances.isTogether)) {
      const at = { environmentId, ...slot };
      const one = current.get(at);
      if (one && one.launch.replicas !== replicas) void scale(one, replicas, slotsOf(row).length > 1);
      else if (isFree(at)) revive(at);
    }
  };
  /** Those that are too many end once the gateways know. */
  const scale = async (one: Current, replicas: number, isOneOfSeveral: boolean): Promise<void> => {
    const before = one.launch.replicas;
    Object.assign(one.launch, { replicas, isOneOfSeveral });
    try {
      await instances.scale(one.id, replicas);
    } catch (error) {
      if (tenure.aborted) return;
      one.launch.replicas = before;
      log.warn({ err: error }, 'how many of a process run could not be changed; trying again');
    }
  };
  const isFree = (slot: Slot) => !current.get(slot) && !reviving.get(slot) && !parting.get(slot);

  const follow = (environmentId: string): Promise<void> =>
    withLock(environmentId, async () => {
      const row = await parts.site(environmentId);
      if (row && !isResting(row.state)) followSite(row);
      else void takeDown(environmentId).catch(() => {});
    });

  /** Resolves once nothing of it is in between: neither on its way, given up as it is, nor on its way out. */
  const settled = async (environmentId: string): Promise<void> => {
    const under = (ways: ReadonlyMap<Promise<void>, string>) =>
      [...ways].flatMap(([way, whose]) => (whose === environmentId ? [way] : []));
    await Promise.allSettled(under(revivals));
    // What was given up may have been left to end.
    await Promise.allSettled(under(leaving));
  };

  return {
    /**
     * Ends what runs of an environment, or is about to, so that its next version does not run beside it; requests wait meanwhile.
     * Gives what has it come back as the database then has it.
     */
    async standAside(environmentId: string): Promise<() => Promise<void>> {
      aside.add(environmentId);
      const comeBack = async () => {
        aside.delete(environmentId);
        await follow(environmentId).catch((error) => {
          // Looked at again soon, as any.
          if (!tenure.aborted) log.warn({ err: error }, 'a site could not be looked at');
        });
      };
      try {
        await withLock(environmentId, () => takeDown(environmentId));
        await settled(environmentId);
        return comeBack;
      } catch (error) {
        await comeBack();
        throw error;
      }
    },

    /** All of them, as `start` does it, or none. */
    async startAll(launches: readonly Launch[], until: AbortSignal, journal: BuildLog): Promise<Live[]> {
      const giveUp = new AbortController();
      const signal = AbortSignal.any([until, giveUp.signal]);
      const starting = launches.map((launch) =>
        start(launch, signal, journal).catch((error) => {
          giveUp.abort(error);
          throw error;
        }),
      );
      const ends = await Promise.allSettled(starting);
      const started = ends.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      if (started.length === launches.length) return started;
      await Promise.all(started.map((one) => end(one, 0)));
      // The first of them has ended the others.
      throw until.aborted ? until.reason : giveUp.signal.reason;
    },

    /** Goes on with one that an earlier life of a server left serving. */
    adopt(launch: Launch, live: Live): void {
      serve(launch, live);
      // Others may have been asked for since.
      instances.scale(live.id, launch.replicas).catch((error) => {
        if (!tenure.aborted) log.warn({ err: error }, 'how many of a process run could not be changed');
      });
    },

    /** The same of files. */
    adoptFiles: (id: string, launch: Launch): void => serve(launch, filesOf(id, launch)),

    /**
     * `write` makes what was started of a site by `launches` the environment's own in the database, and is asked again where its
     * answer was lost; where it fails, they end and the former ones go on.
     */
    promote(
      site: Launch,
      { launches, started }: { launches: readonly Launch[]; started: readonly Live[] },
      write: () => Promise<void>,
    ): Promise<void> {
      const { environmentId, sticky, preview } = site;
      return inTurnWith(started, environmentId, async () => {
        tenure.throwIfAborted();
        const targets = started.flatMap((one) => one.targets);
        const serving = { host: hostOf(site), targets, sticky, isPreview: preview !== null };
        await parts.switchTo(environmentId, serving, () => ask(write, tenure));
        const former = current.of(environmentId).filter(takesRequests);
        for (const launch of launches) ends.delete(launch);
        for (const [index, live] of started.entries()) serve(launches[index] ?? site, live);
        for (const one of former) {
          if (current.get(one.launch) !== one) continue;
          current.delete(one.launch);
          replaced(one, site);
        }
      });
    },

    serves: (environmentId: string): boolean => current.of(environmentId).some(takesRequests),

    /** Something of it runs, or is about to. */
    runs: (environmentId: string): boolean => current.has(environmentId) || reviving.has(environmentId),

    /** Brings what runs in line with what is asked for: starts what is missing, ends what is not wanted. */
    follow,

    /** The application is gone: resolves when nothing of its environment runs any more. */
    remove: (environmentId: string): Promise<void> => withLock(environmentId, () => takeDown(environmentId)),

    /** The environments of which something runs, or is about to. */
    known: (): string[] => [...new Set([...current.environments(), ...reviving.environments()])],

    /**
     * The tenure is over: ends every site, politely at first; `gently`: once requests to it wait, and none is under way.
     * `leaving`: those that serve go on, for the next life to adopt.
     */
    async close(how: 'at once' | 'gently' | 'leaving'): Promise<void> {
      closing.abort();
      const now = how === 'leaving' ? [] : current.values();
      current.clear();
      if (how === 'gently' && now.length > 0) {
        const inTime = AbortSignal.timeout(CLOSING_MS);
        await makeAbortable(records.instances.noteAllDraining(), inTime).catch(() => {});
        await Promise.all(now.filter(takesRequests).map(({ id }) => letGo(id, CLOSING_MS, inTime)));
      }
      for (const { launch, targets } of now) {
        if (targets[0]?.kind !== 'files')
          writeOutput(launch.environmentId, [`${mark(launch)}${messages.log.siteLeaves}`]);
      }
      const graceMs = how === 'at once' ? SHORT_GRACE_MS : GRACE_MS;
      const ending = [...now.map((one) => end(one, graceMs)), ...revivals.keys()];
      for (const id of lingering) ending.push(instances.stop(id, graceMs));
      if (how === 'at once') {
        const others = new Set(instances.attended()).difference(new Set(now.map(({ id }) => id)));
        for (const id of others) ending.push(instances.stop(id, graceMs));
        // What was never taken over.
        ending.push(instances.endOthers());
      }
      // One that can't be stopped keeps nobody from waiting for the others.
      for (const one of await Promise.allSettled(ending)) {
        if (one.status === 'rejected') log.error({ err: one.reason }, 'a site could not be stopped');
      }
      await Promise.allSettled(leaving.keys());
    },
  };
}
