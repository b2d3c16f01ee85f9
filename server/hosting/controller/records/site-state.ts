import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../../kernel/clock.ts';
import { restingStates, type SiteRow, storedJson } from '../../model/deployment-rows.ts';
import { WEB } from '../../model/plan.ts';
import type { Reason } from '../../model/reasons/reason.ts';
import { queueStateMessage } from '../../model/site-messages.ts';
import type { Slot } from '../../model/slots.ts';
import type { OwnerMails } from '../../owner-mails/owner-mails.ts';

/** A site, and the deployment that it ran when its row was read. */
export type SiteKey = Pick<SiteRow, 'environment_id' | 'deployment_uuid'>;

/** True if the site should still run, and still with the deployment that the given row names. */
export async function isStillDesired(
  transaction: Kysely<unknown>,
  { environment_id, deployment_uuid }: SiteKey,
): Promise<boolean> {
  const { rows } = await sql`
    select from sites
    where environment_id = ${environment_id} and deployment_uuid = ${deployment_uuid}
      and state not in (${restingStates})`.execute(transaction);
  return rows.length > 0;
}

/** True if an instance takes requests of the environment. */
export async function hasServingWeb(transaction: Kysely<unknown>, environmentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from instances
    where environment_id = ${environmentId} and process = ${WEB} and state = 'serving' and targets <> '[]' limit 1`.execute(
    transaction,
  );
  return rows.length > 0;
}

/** Records a change of one replica; `ended`: it has ended by itself, which counts as a restart. */
export async function noteReplica(
  transaction: Kysely<unknown>,
  { environmentId, process, number }: Slot,
  { note, ended }: { note: Reason | null; ended: boolean },
  now: Temporal.Instant,
): Promise<void> {
  const at = toTimestamp(now);
  const restarts = ended ? 1 : 0;
  await sql`
    insert into replicas (environment_id, process, number, restarts, note, changed_at)
    values (${environmentId}, ${process}, ${number}, ${restarts}, ${note && storedJson(note)}, ${at})
    on conflict (environment_id, process, number) do update
    set restarts = replicas.restarts + excluded.restarts, note = excluded.note, changed_at = excluded.changed_at`.execute(
    transaction,
  );
}

/** True if a site's state is `down`. */
export async function isDown(transaction: Kysely<unknown>, environmentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from sites where environment_id = ${environmentId} and state = 'down'`.execute(transaction);
  return rows.length > 0;
}

/**
 * Records a change of a site. Returns false if it should no longer run, or runs another deployment by now. A site that
 * goes down or comes back causes messages to webhooks and, with `mails`, a mail to its owner.
 */
export async function noteSite(
  transaction: Kysely<unknown>,
  { environment_id, deployment_uuid }: SiteKey,
  { state, note, ended }: { state: 'live' | 'down'; note: Reason | null; ended: boolean },
  now: Temporal.Instant,
  mails?: OwnerMails,
): Promise<boolean> {
  const wasDown = await isDown(transaction, environment_id);
  const { rows } = await sql`
    update sites set state = ${state}, note = ${note && storedJson(note)}, changed_at = ${toTimestamp(now)},
      restarts = restarts + ${ended ? 1 : 0}
    where environment_id = ${environment_id} and deployment_uuid = ${deployment_uuid}
      and state not in (${restingStates})
    returning environment_id`.execute(transaction);
  if (rows.length === 0) return false;
  if (wasDown !== (state === 'down')) {
    const [kind, mail] =
      state === 'down' ? (['site.down', 'site_down'] as const) : (['site.up', 'site_up'] as const);
    await queueStateMessage(transaction, kind, environment_id, note, now);
    await mails?.mailState(transaction, mail, environment_id, note, now);
  }
  return true;
}
