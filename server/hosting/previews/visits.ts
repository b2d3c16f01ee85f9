import { type Kysely, sql } from 'kysely';
import { inTurn } from '../deployments/rows.ts';
import type { PreviewVisits } from '../gateway/whereabouts.ts';

/** What gateways tell of previews, in the database. */
export function createPreviewVisits(db: Kysely<unknown>): PreviewVisits {
  return {
    async note(environmentIds) {
      await sql`
        update previews set visited_at = greatest(visited_at, clock_timestamp())
        where environment_id = any(${environmentIds}::uuid[])`.execute(db);
    },

    async wake(environmentId) {
      await inTurn(db, environmentId, async (transaction) => {
        await sql`
          update previews set visited_at = greatest(visited_at, clock_timestamp())
          where environment_id = ${environmentId}`.execute(transaction);
        await sql`
          update sites set state = 'live', note = null, changed_at = clock_timestamp()
          where environment_id = ${environmentId} and state = 'asleep'`.execute(transaction);
      });
    },
  };
}
