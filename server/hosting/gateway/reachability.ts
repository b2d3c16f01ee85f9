import { connect } from 'node:net';
import type { Backend, Target } from './backend.ts';
import type { RoutingTable } from './routing-table.ts';
import { connectOptions } from './upstream.ts';

// Interval at which backends on other machines are checked. A machine that crashed sends nothing and leaves its
// connections open; without the checks, requests to it would wait for the full answer timeout.

const CHECK_MS = 1_000;
/** Connect timeout: a running machine accepts connections quickly, however busy it is. */
const CONNECT_MS = 2_000;
const LOOPBACK = /^http:\/\/(127\.|localhost|\[::1\])/;

/** Time for which lost backends are checked; afterwards their recovery is no longer expected. */
const FORGOTTEN_MS = 600_000;

/**
 * Checks backends on other machines that have finished no request since the last check. A backend that can't be
 * connected to is marked as lost until it can be reached again. Returns a function that stops the checks.
 */
export function watchReachability(
  sites: Pick<RoutingTable, 'backends' | 'markLost' | 'lostTargets' | 'markReachable'>,
): () => void {
  const before = new WeakMap<Backend, number>();
  const checking = new WeakSet<object>();
  const lostSince = new WeakMap<Target, number>();
  const checkLostTarget = (target: Target): void => {
    const lostAt = lostSince.get(target) ?? performance.now();
    lostSince.set(target, lostAt);
    if (target.kind !== 'server' || performance.now() - lostAt > FORGOTTEN_MS) sites.markReachable(target);
    else if (!checking.has(target)) checkLost(target, target.origin);
  };
  const checkLost = (target: Target, origin: string): void => {
    checking.add(target);
    canConnect(origin).then((isReachable) => {
      checking.delete(target);
      if (isReachable) sites.markReachable(target);
    });
  };
  const check = (backend: Backend): void => {
    const { target, requests, finished: left } = backend;
    if (target.kind !== 'server' || LOOPBACK.test(target.origin)) return;
    const isStuck = requests > 0 && before.get(backend) === left;
    before.set(backend, left);
    if (!isStuck || checking.has(backend)) return;
    checking.add(backend);
    canConnect(target.origin).then((isReachable) => {
      checking.delete(backend);
      if (!isReachable) sites.markLost(target);
    });
  };
  const timer = setInterval(() => {
    for (const backend of sites.backends()) check(backend);
    for (const target of sites.lostTargets()) checkLostTarget(target);
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function canConnect(origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...connectOptions(origin), timeout: CONNECT_MS });
    const end = (isReachable: boolean) => {
      socket.destroy();
      resolve(isReachable);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}
