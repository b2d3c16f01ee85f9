import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time limit for the response of `/readyz`, in milliseconds. */
const LIMIT_MS = 1_000;

/**
 * Requests `/readyz`, whose response must come within the time limit, and returns its status. Requests to `/healthz`
 * run beside it, so that the limit also holds on a slow machine, which delays both.
 */
export async function readinessOf(url: string): Promise<200 | 503> {
  const isAlive = async () => assert.equal((await fetch(`${url}/healthz`)).status, 200);
  let status: number | undefined;
  const asked = fetch(`${url}/readyz`).then((answer) => {
    ({ status } = answer);
  });
  await Promise.race([asked, sleep(LIMIT_MS)]);
  await isAlive();
  await isAlive();
  asked.catch(() => {});
  assert.ok(status !== undefined, `/readyz has not answered within ${LIMIT_MS} ms`);
  assert.ok(status === 200 || status === 503);
  return status;
}
