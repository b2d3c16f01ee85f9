import { connect } from 'node:net';
import type { Backend, RoutingTable, Target } from './routing-table.ts';
import { placeOf } from './upstream.ts';

// Interval of the checks. A machine that crashed sends nothing and leaves its connections open; without the checks,
// requests to it would wait for the full answer timeout.

const LOOK_MS = 1_000;
/** Connect timeout: a running machine accepts connections quickly, however busy it is. */
const CONNECT_MS = 2_000;
const HERE = /^http:\/\/(127\.|localhost|\[::1\])/;

/** Lost backends are checked for this long; afterwards their recovery is no longer expected. */
const GONE_MS = 600_000;

/**
 * Checks backends on other machines that have finished no request since the last check. A backend that can't be
 * connected to is marked as lost until it can be reached again. Returns a function that stops the checks.
 */
export function watchReach(sites: Pick<RoutingTable, 'doors' | 'lose' | 'gone' | 'isBack'>): () => void {
  const before = new WeakMap<Backend, number>();
  const asking = new WeakSet<object>();
  const since = new WeakMap<Target, number>();
  const lookForGone = (target: Target): void => {
    const lostAt = since.get(target) ?? performance.now();
    since.set(target, lostAt);
    if (target.kind !== 'server' || performance.now() - lostAt > GONE_MS) sites.isBack(target);
    else if (!asking.has(target)) askAgain(target, target.origin);
  };
  const askAgain = (target: Target, origin: string): void => {
    asking.add(target);
    leadsSomewhere(origin).then((isThere) => {
      asking.delete(target);
      if (isThere) sites.isBack(target);
    });
  };
  const look = (door: Backend): void => {
    const { target, requests, left } = door;
    if (target.kind !== 'server' || HERE.test(target.origin)) return;
    const isStill = requests > 0 && before.get(door) === left;
    before.set(door, left);
    if (!isStill || asking.has(door)) return;
    asking.add(door);
    leadsSomewhere(target.origin).then((isThere) => {
      asking.delete(door);
      if (!isThere) sites.lose(target);
    });
  };
  const timer = setInterval(() => {
    for (const door of sites.doors()) look(door);
    for (const target of sites.gone()) lookForGone(target);
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function leadsSomewhere(origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...placeOf(origin), timeout: CONNECT_MS });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}
