import { setTimeout as sleep } from 'node:timers/promises';
import { requestPage } from './examples.ts';

/** Pause between two requests for one site at one server, which leaves a small machine time for the rest. */
const PAUSE_MS = 40;

export interface Count {
  answered: number;
  failed: number;
}

/** Requests the first page of each site from each server, again and again, until `end` is called. */
export function requestAllSites(doors: readonly string[], addresses: readonly string[]) {
  let isOver = false;
  let longestMs = 0;
  const none = () => new Map(addresses.map((address) => [address, { answered: 0, failed: 0 }]));
  const total: Count = { answered: 0, failed: 0 };
  const failures = new Set<string>();
  let counts: ReadonlyMap<string, Count> = none();

  const requestRepeatedly = async (door: string, address: string): Promise<void> => {
    for (; !isOver; await sleep(PAUSE_MS)) {
      const began = performance.now();
      const failure = await requestPage(door, 'GET', address).then(
        ({ status, text }) => (status === 200 ? undefined : `${status} ${text}`),
        String,
      );
      longestMs = Math.max(longestMs, performance.now() - began);
      if (failure !== undefined) failures.add(`${address}: ${failure}`);
      for (const count of [total, counts.get(address)])
        if (count) count[failure === undefined ? 'answered' : 'failed'] += 1;
    }
  };
  const visiting = Promise.all(
    doors.flatMap((door) => addresses.map((address) => requestRepeatedly(door, address))),
  );

  return {
    /** Returns how many requests were sent to each address since the previous call, and starts again from 0. */
    counted(): ReadonlyMap<string, Count> {
      const since = counts;
      counts = none();
      return since;
    },
    async end() {
      isOver = true;
      await visiting;
      return { ...total, longestMs, failures: [...failures] };
    },
  };
}
