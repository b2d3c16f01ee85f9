import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Forecast } from '../model/forecast.ts';
import type { SourceRef } from '../model/source-ref.ts';

export type PlanStore = ReturnType<typeof createPlanStore>;

/** Plan requests: rows that any server writes and the lease holder answers. */
export function createPlanStore(db: Kysely<unknown>) {
  return {
    /** True if a server is running that can answer plan requests. */
    async isHosted(): Promise<boolean> {
      const { rows } = await sql`
        select from hosting_lease where held_until > clock_timestamp()`.execute(db);
      return rows.length > 0;
    },

    /**
     * Stores a plan request and returns its id, or the id of an open request for the same commit, branch or tag. Undefined if the
     * environment no longer exists.
     */
    async ask(
      environmentId: string,
      ref: SourceRef | undefined,
      now: Temporal.Instant,
    ): Promise<string | undefined> {
      const at = toParameter(now);
      await sql`
        delete from plan_requests
        where environment_id = ${environmentId} and answer is not null
          and asked_at < ${at}::timestamptz - interval '1 minute'`.execute(db);
      const { rows } = await sql<{ plan_id: string }>`
        insert into plan_requests (plan_id, environment_id, ref_type, ref_name, asked_at)
        select ${newId()}::uuid, environment_id, ${ref?.type ?? ''}, ${ref?.name ?? ''}, ${at}::timestamptz
        from environments where environment_id = ${environmentId}
        on conflict (environment_id, ref_type, ref_name) where answer is null do update set asked_at = excluded.asked_at
        returning plan_id`.execute(db);
      return rows[0]?.plan_id;
    },

    async answer(planId: string): Promise<Forecast | undefined> {
      const { rows } = await sql<{ answer: Forecast | null }>`
        select answer from plan_requests where plan_id = ${planId}`.execute(db);
      return rows[0]?.answer ?? undefined;
    },
  };
}
