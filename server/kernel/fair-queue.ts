import { abortable } from './abortable.ts';

export interface FairQueueOptions {
  /** How much of one owner's runs at a time, however much room there is. */
  mostOfOne?: number;
  /** Work that takes longer makes room for others' work; it counts as its owner's until its end. */
  roomAfterMs?: number;
}

export interface EnterOptions {
  /** Ends the wait, which rejects with its reason. */
  signal?: AbortSignal | undefined;
  /** Called where the work has to wait. */
  onWait?: () => void;
}

/** A place inside the gate, as its work has it. */
export interface QueuePlace {
  /** Leaves the place for as long as `work` takes, then waits for one again. */
  outside: <T>(work: () => Promise<T>) => Promise<T>;
}

/** An owner's work inside, and when some of it entered last. */
export interface OwnerLoad {
  inside: number;
  entry: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

/** The most of one owner where others must always find a place: all but one of them, or the only one. */
export function shareOfOne(places: number): number {
  return Math.max(1, places - 1);
}

/**
 * Who enters next, by the standing of each that waits, in the order they came: the owner with the least inside, of those the one who
 * entered longest ago. Undefined where each has as much inside as it may.
 */
export function nextOf(
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

/** Runs `most` pieces of work at a time. Nobody's many keep another's one waiting for all of them (`nextOf`). */
export function createFairQueue(most: number, { mostOfOne, roomAfterMs }: FairQueueOptions = {}) {
  /** Of all owners that have work inside or waiting. */
  const known = new Map<string, OwnerLoad>();
  const waiting: { whose: string; enter: () => void }[] = [];
  let taken = 0;
  let entries = 0;

  const standingOf = (whose: string) => known.get(whose) ?? { inside: 0, entry: 0 };
  const admitWaiting = () => {
    while (taken < most) {
      const index = nextOf(
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

  /** Undefined for one that need not wait. */
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
    return abortable(entered.promise, signal).catch((error) => {
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
    /** `long`: it has made room already. */
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
