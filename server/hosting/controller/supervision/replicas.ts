import { setTimeout as sleep } from 'node:timers/promises';
import { coalesceRuns } from '../../../kernel/keyed-lock.ts';
import type { Reason } from '../../model/reasons/reason.ts';
import type { Replica } from '../../runtimes/runtime.ts';

export interface ReplicaChange {
  number: number;
  /** Reason why the replica ended or takes no requests; null if it is healthy. */
  note: Reason | null;
  /** True if the replica ended by itself. */
  ended: boolean;
}

/** Present state of an instance's replicas, with the changes since the last notification. */
export interface ReplicaState {
  /** Addresses of the replicas to which requests go. */
  origins: readonly string[];
  /** Numbers of the replicas that are healthy. */
  numbers: readonly number[];
  changes: readonly ReplicaChange[];
}

export interface ReplicaFollowerParts {
  /** Replicas of the instance at the time when it began to serve. */
  first: readonly Replica[];
  /** States of all replicas of the instance, one list after each change. */
  feed: AsyncIterable<readonly Replica[]>;
  acceptsRequests: boolean;
  /** Waits until the replica answers. Rejects if it does not answer in time, and with the signal's reason. */
  untilHealthy: (origin: string, signal: AbortSignal) => Promise<void>;
  /**
   * Waits until the replica has not answered for too long, and resolves with the reason. Rejects with the signal's
   * reason.
   */
  untilUnresponsive: (origin: string, signal: AbortSignal) => Promise<Reason>;
  /** Turns an error into the reason why a replica did not become healthy. */
  reasonOf: (error: unknown) => Reason;
  notify: (state: ReplicaState) => Promise<void>;
  signal: AbortSignal;
}

interface FollowedReplica {
  replica: Replica;
  /** True if requests may go to the replica, or if it runs and its process takes no requests. */
  isUp: boolean;
  /** Aborted once the replica is down, was replaced by another one, or is gone. */
  over: AbortController;
}

/** Pause before a replica that did not answer is asked again. */
const AGAIN_MS = 1_000;

/**
 * Follows the replicas of an instance whose runtime restarts them by itself: a replica gets requests once it answers,
 * and for as long as it runs and answers.
 */
export class ReplicaFollower {
  readonly #parts: ReplicaFollowerParts;
  /** Replicas of the instance, by replica number. */
  readonly #followed = new Map<number, FollowedReplica>();
  /** Changes of replicas, by replica number, that were not reported yet. */
  readonly #changes = new Map<number, ReplicaChange>();
  readonly #notify: () => Promise<void>;
  readonly #end = Promise.withResolvers<Reason>();

  constructor(parts: ReplicaFollowerParts) {
    this.#parts = parts;
    this.#notify = coalesceRuns(() => this.#notifyNow());
  }

  /**
   * Follows the replicas until the runtime reports no further changes. Ends earlier, with the reason, once all replicas
   * run and none answers. Rejects if a change can't be recorded.
   */
  async run(): Promise<Reason | undefined> {
    const { first } = this.#parts;
    try {
      for (const replica of first)
        if (!this.#lacksAddress(replica)) this.#follow(replica, replica.down === undefined);
      // The first state is recorded at once: the database may still have the replicas of an earlier lease term.
      void this.#notify();
      return await Promise.race([this.#end.promise, this.#readFeed()]);
    } finally {
      for (const one of this.#followed.values()) one.over.abort();
    }
  }

  async #readFeed(): Promise<undefined> {
    for await (const replicas of this.#parts.feed) this.#update(replicas);
    return undefined;
  }

  #update(replicas: readonly Replica[]): void {
    const byName = new Map([...this.#followed.values()].map((one) => [one.replica.name, one]));
    this.#dropMissing(replicas);
    for (const replica of replicas) {
      const before = this.#followed.get(replica.number);
      const isUnchanged = before?.replica.name === replica.name && isDown(before.replica) === isDown(replica);
      if (isUnchanged || this.#lacksAddress(replica)) continue;
      this.#replace(before, replica, byName.get(replica.name));
    }
  }

  #dropMissing(replicas: readonly Replica[]): void {
    const numbers = new Set(replicas.map(({ number }) => number));
    for (const [number, { over }] of this.#followed) {
      if (numbers.has(number)) continue;
      over.abort();
      this.#followed.delete(number);
      void this.#notify();
    }
  }

  /**
   * Follows a replica in place of the former replica with the same number. `known`: the new replica, as it was followed
   * before under this number or another one; undefined for a replica that was never followed.
   */
  #replace(former: FollowedReplica | undefined, replica: Replica, known: FollowedReplica | undefined): void {
    const { acceptsRequests } = this.#parts;
    former?.over.abort();
    const isSame = known !== undefined && isDown(known.replica) === isDown(replica);
    this.#follow(replica, !isDown(replica) && (!acceptsRequests || known?.isUp === true));
    // A replica that was restarted counts as ended, even if nobody saw it down.
    const ended = former !== undefined && !isDown(former.replica) && !isSame;
    if (isDown(replica) || !acceptsRequests || ended)
      this.#change({ number: replica.number, note: replica.down ?? null, ended });
    else if (isSame) void this.#notify();
  }

  #follow(replica: Replica, isUp: boolean): void {
    const one = { replica, isUp, over: new AbortController() };
    this.#followed.set(replica.number, one);
    void this.#probe(one);
  }

  /** Waits until a replica answers, then until it no longer answers, and so on. */
  async #probe(one: FollowedReplica): Promise<void> {
    const { reasonOf, signal } = this.#parts;
    const { number, origin } = one.replica;
    if (origin === undefined) return;
    const until = AbortSignal.any([one.over.signal, signal]);
    while (!until.aborted) {
      try {
        await this.#probeOnce(one, origin, until);
      } catch (error) {
        if (until.aborted) return;
        this.#change({ number, note: reasonOf(error), ended: false });
        await sleep(AGAIN_MS, undefined, { signal: until }).catch(() => {});
      }
    }
  }

  async #probeOnce(one: FollowedReplica, origin: string, until: AbortSignal): Promise<void> {
    const { untilHealthy, untilUnresponsive } = this.#parts;
    const { number } = one.replica;
    if (!one.isUp) {
      await untilHealthy(origin, until);
      one.isUp = true;
      this.#change({ number, note: null, ended: false });
    }
    const how = await untilUnresponsive(origin, until);
    one.isUp = false;
    this.#change({ number, note: how, ended: false });
    const all = [...this.#followed.values()];
    if (all.every(({ isUp, replica }) => !isUp && !isDown(replica))) this.#end.resolve(how);
  }

  #change(change: ReplicaChange): void {
    const hasEnded = this.#changes.get(change.number)?.ended === true;
    this.#changes.set(change.number, { ...change, ended: change.ended || hasEnded });
    void this.#notify();
  }

  async #notifyNow(): Promise<void> {
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    const up = [...this.#followed.values()].flatMap(({ isUp, replica }) => (isUp ? replica : []));
    const origins = up.flatMap(({ origin }) => origin ?? []);
    const numbers = up.map(({ number }) => number).toSorted((one, other) => one - other);
    await this.#parts.notify({ origins, numbers, changes }).catch(this.#end.reject);
  }

  /** True if a replica has no address yet, but will have one later. */
  #lacksAddress({ origin, down }: Replica): boolean {
    return this.#parts.acceptsRequests && !down && origin === undefined;
  }
}

function isDown({ down }: Replica): boolean {
  return down !== undefined;
}
