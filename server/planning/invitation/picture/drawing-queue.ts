import { createFairQueue } from '../../../kernel/fair-queue.ts';
import { createCallerQueue } from '../../../kernel/http/fair-share.ts';
import { CommonRefusal } from '../../../kernel/refusal.ts';

const LONGEST_WAIT_MS = 60_000;
const MOST_WAITING_OF_ONE = 5;
const MOST_IN_ALL = 100;

/**
 * Queue for drawing pictures, one at a time, as each may take 200 MB of memory. Organizers take turns, so one
 * organizer's slow pictures delay another organizer by one picture at most. Throws a 429 if too many pictures wait, a
 * picture waited too long, or `gone` is aborted.
 */
export function createDrawingQueue() {
  const ofOne = createCallerQueue({
    most: 1,
    mostWaiting: MOST_WAITING_OF_ONE,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  const queue = createFairQueue(1);
  let inAll = 0;

  return async <T>(organizer: string, gone: AbortSignal, draw: () => Promise<T>): Promise<T> => {
    if (inAll >= MOST_IN_ALL) throw new CommonRefusal(429, 'too_many_requests');
    inAll += 1;
    try {
      const leave = await ofOne.enter(organizer, gone);
      try {
        return await drawInTurn(organizer, gone, draw);
      } finally {
        leave();
      }
    } finally {
      inAll -= 1;
    }
  };

  async function drawInTurn<T>(organizer: string, gone: AbortSignal, draw: () => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(LONGEST_WAIT_MS)]);
    try {
      return await queue(organizer, draw, { signal });
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw new CommonRefusal(429, 'too_many_requests');
      throw error;
    }
  }
}
