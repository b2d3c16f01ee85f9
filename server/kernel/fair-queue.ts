import { makeAbortable } from './abortable.ts';

export interface FairQueueOptions {
  /** Maximum number of one owner's jobs that run at once, however many places are free. */
  mostOfOne?: number;
  /** Milliseconds after which long work frees its place for others; it counts as its owner's until it ends. */
  roomAfterMs?: number;
}

export interface EnterOptions {
  /** Aborting ends the wait with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called if the work has to wait. */
  onWait?: () => void;
}

/** The place of running work. */
export interface QueuePlace {
  /** Leaves the place while `work` runs, then waits for a place again. */
  outside: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Number of an owner's jobs that run, and the sequence number of the last one's start. */
export interface OwnerLoad {
  inside: number;
  entry: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

/** Maximum for one owner so that others always find a place: all places but one, or the only one. */
export function mostOfOneOwner(places: number): number {
  return Math.max(1, places - 1);
}

/**
 * Index of the waiting job that starts next: one of the owner with the fewest running jobs, among equals of the owner
 * whose last job started longest ago. `waiting` has the load of each job's owner, in order of arrival. Undefined if
 * every owner has reached the maximum.
 */
export function chooseNext(
  waiting: readonly OwnerLoad[],
  mostOfOne = Number.POSITIVE_INFINITY,
): number | undefined {
  let next: number | undefined;
  for (const [index, one] of waiting.entries()) {
    if (one.inside >= mostOfOne) continue;
    const best = next === undefined ? undefined : waiting[next];
    if (!best || (one.inside - best.inside || one.entry - best.entry) < 0) next = index;
  }
  return next;
}

/** Runs up to `most` jobs at once. One owner's many jobs don't delay another owner's single one (`chooseNext`). */
export function createFairQueue(most: number, { mostOfOne, roomAfterMs }: FairQueueOptions = {}) {
  /** Load of each owner with running or waiting jobs. */
  const known = new Map<string, OwnerLoad>();
  const waiting: { whose: string; enter: () => void }[] = [];
  let taken = 0;
  let entries = 0;

  const standingOf = (whose: string) => known.get(whose) ?? { inside: 0, entry: 0 };
  const admitWaiting = () => {
    while (taken < most) {
      const index = chooseNext(
        waiting.map(({ whose }) => standingOf(whose)),
        mostOfOne,
      );
      const [next] = index === undefined ? [] : waiting.splice(index, 1);
      if (!next) return;
      taken += 1;
      entries += 1;
      known.set(next.whose, { inside: standingOf(next.whose).inside + 1, entry: entries });
      next.enter();
    }
  };
  const forgetIdle = (whose: string) => {
    if (standingOf(whose).inside === 0 && !waiting.some((one) => one.whose === whose)) known.delete(whose);
  };

  /** Starts waiting for a place; undefined if one is free at once. */
  const enter = (whose: string, { signal, onWait }: EnterOptions): Promise<void> | undefined => {
    signal?.throwIfAborted();
    const entered = Promise.withResolvers<void>();
    let isInside = false;
    const one = {
      whose,
      enter() {
        isInside = true;
        entered.resolve();
      },
    };
    waiting.push(one);
    admitWaiting();
    if (isInside) return undefined;
    onWait?.();
    if (!signal) return entered.promise;
    return makeAbortable(entered.promise, signal).catch((error) => {
      const index = waiting.indexOf(one);
      if (index === -1) leave(whose, true);
      else waiting.splice(index, 1);
      forgetIdle(whose);
      throw error;
    });
  };
  const makeRoom = () => {
    taken -= 1;
    admitWaiting();
  };
  const leave = (whose: string, hasRoom: boolean) => {
    const { inside, entry } = standingOf(whose);
    known.set(whose, { inside: inside - 1, entry });
    if (hasRoom) taken -= 1;
    admitWaiting();
    forgetIdle(whose);
  };

  return async <T>(
    whose: string,
    work: (place: QueuePlace) => Promise<T>,
    options: EnterOptions = {},
  ): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    /** `long`: the work has already freed its place. */
    let state: 'inside' | 'long' | 'outside' = 'outside';
    const comeIn = () => {
      state = 'inside';
      if (roomAfterMs === undefined) return;
      timer = setTimeout(() => {
        state = 'long';
        makeRoom();
      }, roomAfterMs).unref();
    };
    const wait = () => enter(whose, options)?.then(comeIn) ?? comeIn();
    const goOut = () => {
      clearTimeout(timer);
      if (state !== 'outside') leave(whose, state === 'inside');
      state = 'outside';
    };
    const entering = wait();
    if (entering) await entering;
    try {
      return await work({
        async outside(other) {
          goOut();
          const result = await other();
          await wait();
          return result;
        },
      });
    } finally {
      goOut();
    }
  };
}
