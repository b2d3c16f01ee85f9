import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** What `/readyz` has to answer within. */
const LIMIT_MS = 1_000;

/**
 * How `/readyz` answers, within its limit: what is asked of `/healthz` after that is not answered before. That holds on a
 * slow machine too, which keeps both waiting.
 */
export async function readiness(url: string): Promise<200 | 503> {
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
