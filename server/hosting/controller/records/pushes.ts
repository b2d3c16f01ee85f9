import { type Kysely, sql } from 'kysely';
import type { LeaseFence } from '../../model/lease-fence.ts';
import type { Push, PushVerdict } from '../../model/push.ts';

export interface PushRecordsParts {
  db: Kysely<unknown>;
  fence: LeaseFence;
}

/** Pushes that wait for a check, and the decisions about them, written by the lease holder. */
export class PushRecords {
  readonly #db: Kysely<unknown>;
  readonly #fence: LeaseFence;

  constructor({ db, fence }: PushRecordsParts) {
    this.#db = db;
    this.#fence = fence;
  }

  /** Finds the newest push of an environment that waits for a check. */
  async findWaiting(environmentId: string): Promise<Push | undefined> {
    const { rows } = await sql<Push>`
      select delivery_id, application_uuid, environment_id from hook_deliveries
      where environment_id = ${environmentId} and status = 'checking'
      order by delivery_id desc limit 1`.execute(this.#db);
    return rows[0];
  }

  /** Commit that was deployed last in an environment and went live; undefined if there is none. */
  async lastDeployedCommit(environmentId: string): Promise<string | undefined> {
    const { rows } = await sql<{ commit_hash: string | null }>`
      select commit_hash from deployments
      where environment_id = ${environmentId} and status = 'live' and action in ('deploy', 'promote')
      order by deployment_uuid desc limit 1`.execute(this.#db);
    return rows[0]?.commit_hash ?? undefined;
  }

  /**
   * Records the decision about a push and the earlier ones that wait; `request` requests its deployment. A newer push,
   * which came in meanwhile, goes on waiting.
   */
  finish(
    { delivery_id: id, environment_id }: Push,
    { deploys, commit, base, changed }: PushVerdict,
    request: (transaction: Kysely<unknown>) => Promise<{ deployment_uuid: string }>,
  ): Promise<void> {
    return this.#fence.changeEnvironment(environment_id, async (transaction) => {
      const deployment = deploys ? await request(transaction) : undefined;
      await sql`
        update hook_deliveries set status = ${deploys ? 'deploying' : 'ignored'},
          reason = ${deploys ? null : 'paths_unchanged'}, deployment_uuid = ${deployment?.deployment_uuid ?? null},
          commit_hash = ${commit ?? null}, base_hash = ${base ?? null}, changed = ${changed ?? null}
        where environment_id = ${environment_id} and status = 'checking' and delivery_id <= ${id}`.execute(
        transaction,
      );
    });
  }
}
