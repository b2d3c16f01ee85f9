import { connect } from 'node:net';
import type { Door, SiteTable } from './sites.ts';

// A machine that is gone says nothing, and lets connections to it stand: whatever was asked there would wait for as long as a slow
// answer may take.

const LOOK_MS = 1_000;
/** A machine that is there takes a connection in a moment, however busy it is. */
const CONNECT_MS = 2_000;
const HERE = /^http:\/\/(127\.|localhost|\[::1\])/;

/** Looks at doors of other machines that have let nobody out for a moment: one that leads nowhere is lost. Gives what ends it. */
export function watchReach(sites: Pick<SiteTable, 'doors' | 'lose'>): () => void {
  const before = new WeakMap<Door, number>();
  const asking = new WeakSet<Door>();
  const look = (door: Door): void => {
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
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function leadsSomewhere(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: CONNECT_MS });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}
