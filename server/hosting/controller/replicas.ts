import { setTimeout as sleep } from 'node:timers/promises';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import type { Reason } from '../model/reasons/reason.ts';
import type { Replica } from '../runtimes/runtime.ts';

/** One of an instance's is otherwise than it was. */
export interface ReplicaEvents {
  number: number;
  /** How it ended, or why it takes no requests; null where it is well. */
  note: Reason | null;
  /** It ended by itself. */
  ended: boolean;
}

/** Where requests go by now, and what became of whom since that was told last. */
export interface ReplicaState {
  origins: readonly string[];
  /** Those that are well. */
  numbers: readonly number[];
  news: readonly ReplicaEvents[];
}

export interface FollowParts {
  /** Those that it began to serve with. */
  first: readonly Replica[];
  changes: AsyncIterable<readonly Replica[]>;
  /** Whether they take requests. */
  listens: boolean;
  /** Resolves once it answers. Rejects where it does not in time, and with the signal's reason. */
  answers: (origin: string, signal: AbortSignal) => Promise<void>;
  /** Resolves, with how, once it has not answered for too long. Rejects with the signal's reason. */
  falls: (origin: string, signal: AbortSignal) => Promise<Reason>;
  /** Why one did not answer. */
  whyNot: (error: unknown) => Reason;
  tell: (standing: ReplicaState) => Promise<void>;
  signal: AbortSignal;
}

interface Known {
  replica: Replica;
  /** Requests may go to it. */
  isUp: boolean;
  over: AbortController;
}

const AGAIN_MS = 1_000;

/**
 * Follows those of an instance that its runtime starts again by itself, until the signal: requests go to one once it answers, and as
 * long as it runs and does. Resolves before, with how, where all run and none answers. Rejects where that can't be told.
 */
export async function followReplicas(parts: FollowParts): Promise<Reason | undefined> {
  const { first, changes, listens, answers, falls, whyNot, tell, signal } = parts;
  const known = new Map<number, Known>();
  const news = new Map<number, ReplicaEvents>();
  const over = Promise.withResolvers<Reason | undefined>();

  const tellAll = coalesceRuns(async () => {
    const some = [...news.values()];
    news.clear();
    const up = [...known.values()].flatMap(({ isUp, replica }) => (isUp ? replica : []));
    const origins = up.flatMap(({ origin }) => origin ?? []);
    const numbers = up.map(({ number }) => number).toSorted((one, other) => one - other);
    await tell({ origins, numbers, news: some }).catch(over.reject);
  });
  const note = (one: ReplicaEvents): void => {
    news.set(one.number, { ...one, ended: one.ended || news.get(one.number)?.ended === true });
    void tellAll();
  };

  const attend = async (one: Known): Promise<void> => {
    const { number, origin } = one.replica;
    if (origin === undefined) return;
    const until = AbortSignal.any([one.over.signal, signal]);
    while (!until.aborted) {
      try {
        if (!one.isUp) {
          await answers(origin, until);
          one.isUp = true;
          note({ number, note: null, ended: false });
        }
        const how = await falls(origin, until);
        one.isUp = false;
        note({ number, note: how, ended: false });
        const all = [...known.values()];
        if (all.every(({ isUp, replica }) => !isUp && replica.down === undefined)) over.resolve(how);
      } catch (error) {
        if (until.aborted) return;
        note({ number, note: whyNot(error), ended: false });
        await sleep(AGAIN_MS, undefined, { signal: until }).catch(() => {});
      }
    }
  };

  const begin = (replica: Replica, isUp: boolean): void => {
    const one = { replica, isUp, over: new AbortController() };
    known.set(replica.number, one);
    void attend(one);
  };

  /** Where it is will be known. */
  const isNowhere = ({ origin, down }: Replica) => listens && !down && origin === undefined;

  const take = (replicas: readonly Replica[]): void => {
    const there = new Map(replicas.map((replica) => [replica.number, replica]));
    const byName = new Map([...known.values()].map((one) => [one.replica.name, one]));
    for (const [number, { over }] of known) {
      if (there.has(number)) continue;
      over.abort();
      known.delete(number);
      void tellAll();
    }
    for (const replica of replicas) {
      const { number, name, down } = replica;
      const before = known.get(number);
      const wasDown = before?.replica.down !== undefined;
      const isDown = down !== undefined;
      if (before?.replica.name === name && wasDown === isDown) continue;
      if (isNowhere(replica)) continue;
      before?.over.abort();
      // One may have got another number, and is as it was.
      const same = byName.get(name);
      const isSame = same !== undefined && (same.replica.down !== undefined) === isDown;
      begin(replica, !isDown && (!listens || same?.isUp === true));
      // One that came back before anybody saw it down has ended all the same.
      const ended = before !== undefined && !wasDown && !isSame;
      if (isDown || !listens || ended) note({ number, note: down ?? null, ended });
      else if (isSame) void tellAll();
    }
  };

  const listen = async (): Promise<undefined> => {
    for await (const replicas of changes) take(replicas);
    return undefined;
  };

  try {
    for (const replica of first) if (!isNowhere(replica)) begin(replica, replica.down === undefined);
    // What is on record may be of before.
    void tellAll();
    return await Promise.race([over.promise, listen()]);
  } finally {
    for (const one of known.values()) one.over.abort();
  }
}
