import { makeAbortable } from './abortable.ts';

export interface FairQueueOptions {
  /** Maximum number of one owner's jobs that run at once, even if the queue has more free places. */
  mostOfOne?: number;
  /**
   * Milliseconds after which a long job frees its place for other owners' jobs. It still counts as its owner's until it
   * ends.
   */
  roomAfterMs?: number;
}

export interface EnterOptions {
  /** Signal that ends the wait for a free place in the queue; the wait then fails with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called if the job has to wait for a free place in the queue. */
  onWait?: () => void;
}

/** Place in the fair queue that a running job has. */
export interface QueuePlace {
  /** Gives the job's place to another job while `work` runs, then waits for a place again. */
  outside: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Number of an owner's jobs that run, and the sequence number of the job that started last. */
export interface OwnerLoad {
  running: number;
  lastStart: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

/**
 * Maximum number of places for one owner, so that other owners always find one: all places but one, or the only place.
 */
export function mostOfOneOwner(places: number): number {
  return Math.max(1, places - 1);
}

/**
 * Index of the waiting job that starts next: a job of the owner with the fewest running jobs; among equals, of the
 * owner whose last job started longest ago. `waiting` has the load of each job's owner, in order of arrival. Undefined
 * if every owner has reached the maximum.
 */
export function chooseNext(
  waiting: readonly OwnerLoad[],
  mostOfOne = Number.POSITIVE_INFINITY,
): number | undefined {
  let next: number | undefined;
  for (const [index, one] of waiting.entries()) {
    if (one.running >= mostOfOne) continue;
    const best = next === undefined ? undefined : waiting[next];
    if (!best || (one.running - best.running || one.lastStart - best.lastStart) < 0) next = index;
  }
  return next;
}

/**
 * Makes a queue that runs up to `most` jobs at once. One owner's many jobs don't delay another owner's single job
 * (`chooseNext`).
 */
export function createFairQueue(most: number, { mostOfOne, roomAfterMs }: FairQueueOptions = {}) {
  /** Numbers of running jobs, for each owner with running or waiting jobs. */
  const loads = new Map<string, OwnerLoad>();
  const waiting: { owner: string; enter: () => void }[] = [];
  let used = 0;
  let starts = 0;

  const loadOf = (owner: string) => loads.get(owner) ?? { running: 0, lastStart: 0 };
  const admitWaiting = () => {
    while (used < most) {
      const index = chooseNext(
        waiting.map(({ owner }) => loadOf(owner)),
        mostOfOne,
      );
      const [next] = index === undefined ? [] : waiting.splice(index, 1);
      if (!next) return;
      used += 1;
      starts += 1;
      loads.set(next.owner, { running: loadOf(next.owner).running + 1, lastStart: starts });
      next.enter();
    }
  };
  const forgetIdle = (owner: string) => {
    if (loadOf(owner).running === 0 && !waiting.some((one) => one.owner === owner)) loads.delete(owner);
  };

  /** Takes a free place in the queue and returns undefined; if no place is free, returns a promise of a place. */
  const enter = (owner: string, { signal, onWait }: EnterOptions): Promise<void> | undefined => {
    signal?.throwIfAborted();
    const entered = Promise.withResolvers<void>();
    let hasEntered = false;
    const one = {
      owner,
      enter() {
        hasEntered = true;
        entered.resolve();
      },
    };
    waiting.push(one);
    admitWaiting();
    if (hasEntered) return undefined;
    onWait?.();
    if (!signal) return entered.promise;
    return makeAbortable(entered.promise, signal).catch((error) => {
      const index = waiting.indexOf(one);
      if (index === -1) leave(owner, true);
      else waiting.splice(index, 1);
      forgetIdle(owner);
      throw error;
    });
  };
  const freePlace = () => {
    used -= 1;
    admitWaiting();
  };
  const leave = (owner: string, hasPlace: boolean) => {
    const { running, lastStart } = loadOf(owner);
    loads.set(owner, { running: running - 1, lastStart });
    if (hasPlace) used -= 1;
    admitWaiting();
    forgetIdle(owner);
  };

  return async <T>(
    owner: string,
    work: (place: QueuePlace) => Promise<T>,
    options: EnterOptions = {},
  ): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    /** In the state `long` the work still runs, but other work may already use its place in the queue. */
    let state: 'running' | 'long' | 'outside' = 'outside';
    const takePlace = () => {
      state = 'running';
      if (roomAfterMs === undefined) return;
      timer = setTimeout(() => {
        state = 'long';
        freePlace();
      }, roomAfterMs).unref();
    };
    const wait = () => enter(owner, options)?.then(takePlace) ?? takePlace();
    const leavePlace = () => {
      clearTimeout(timer);
      if (state !== 'outside') leave(owner, state === 'running');
      state = 'outside';
    };
    const entering = wait();
    if (entering) await entering;
    try {
      return await work({
        async outside(other) {
          leavePlace();
          const result = await other();
          await wait();
          return result;
        },
      });
    } finally {
      leavePlace();
    }
  };
}
