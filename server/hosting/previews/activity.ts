import { type Kysely, sql } from 'kysely';
import type { Admission } from '../budgets/budget.ts';
import { OverBudget } from '../budgets/over-budget.ts';
import type { PreviewActivity } from '../gateway/preview-tracker.ts';
import { lockEnvironment, storedJson } from '../model/deployment-rows.ts';

/** Records the activity of previews, which gateways report, in the database. */
export function createPreviewActivity(db: Kysely<unknown>, budgets: Admission): PreviewActivity {
  return {
    async note(environmentIds) {
      await sql`
        update previews set visited_at = greatest(visited_at, clock_timestamp())
        where environment_id = any(${environmentIds}::uuid[])`.execute(db);
    },

    async wake(environmentId) {
      const wakeIt = async (transaction: Kysely<unknown>) => {
        await sql`
          update previews set visited_at = greatest(visited_at, clock_timestamp())
          where environment_id = ${environmentId}`.execute(transaction);
        await sql`
          update sites set state = 'live', note = null, changed_at = clock_timestamp()
          where environment_id = ${environmentId} and state = 'asleep'`.execute(transaction);
      };
      await budgets
        .admit(db, { environmentId }, (transaction) => lockEnvironment(transaction, environmentId, wakeIt))
        .catch((error) => stopForBudget(environmentId, error));
    },
  };

  /** Stops a preview that exceeds the budget, with the reason; otherwise each visit would try to wake it. */
  async function stopForBudget(environmentId: string, error: unknown): Promise<void> {
    if (!(error instanceof OverBudget)) throw error;
    await lockEnvironment(db, environmentId, async (transaction) => {
      await sql`
        update sites set state = 'stopped', note = ${storedJson(error.reason)}, changed_at = clock_timestamp()
        where environment_id = ${environmentId} and state = 'asleep'`.execute(transaction);
    });
  }
}
