import { type Kysely, sql } from 'kysely';
import { endLog } from '../logs/store.ts';
import { type DeploymentRow, deploymentColumns, historyEntry, storedJson } from './deployment-rows.ts';
import type { DeploymentStatus } from './lifecycle.ts';
import type { Reason } from './reasons/reason.ts';
import { queueDeploymentMessage } from './site-messages.ts';

/**
 * Ends deployments without going live, for the given reason, closes their logs and queues messages to webhooks. False
 * if there was none.
 */
export async function endDeployment(
  transaction: Kysely<unknown>,
  condition: ReturnType<typeof sql>,
  status: DeploymentStatus,
  why: Reason,
  now: Temporal.Instant,
): Promise<boolean> {
  const { rows } = await sql<DeploymentRow>`
    update deployments set status = ${status}, reason = ${storedJson(why)}, history = history || ${historyEntry(status, now)}
    where ${condition} returning ${deploymentColumns}`.execute(transaction);
  for (const row of rows) {
    await endLog(transaction, row.deployment_uuid);
    const kind = status === 'failed' ? 'deployment.failed' : 'deployment.cancelled';
    await queueDeploymentMessage(transaction, kind, row, now);
  }
  return rows.length > 0;
}
