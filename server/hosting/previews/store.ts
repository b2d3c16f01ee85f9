import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { insertInto } from '../../kernel/database/rows.ts';
import { newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Application, EnvironmentName, EnvironmentStatus } from '../applications/store.ts';
import { judgeSubdomain, randomEnding } from '../applications/subdomain.ts';
import { Cancelled, lockApplicationRow, lockEnvironment } from '../model/deployment-rows.ts';
import { messages } from './messages.ts';
import { previewName, previewSubdomain } from './name.ts';

export interface Preview extends EnvironmentName {
  name: string;
  branch: string;
  /** Number of the pull request whose end removes the preview; null if its branch's end does. */
  pull_request: number | null;
  subdomain: string;
  status: EnvironmentStatus;
  created_at: Date;
  /** Time of the last change of the preview's own variables, or of the application with its variables. */
  last_updated: Date;
  deployed_at: Date | null;
  visited_at: Date;
}

export interface NewPreview {
  branch: string;
  pullRequest: number | null;
}

const columns = sql`
  previews.application_uuid, previews.environment_id, environments.name, branch, pull_request::float8 as pull_request,
  subdomain, status, created_at, deployed_at, visited_at,
  greatest(last_updated, (
    select applications.last_updated from applications
    where applications.application_uuid = previews.application_uuid)) as last_updated`;
const tables = sql`previews join environments on environments.environment_id = previews.environment_id`;

/** Previews: environments of branches, besides production. `most`: limit per application. */
export class PreviewStore {
  readonly #db: Kysely<unknown>;
  readonly #most: number;

  constructor(db: Kysely<unknown>, most: number) {
    this.#db = db;
    this.#most = most;
  }

  async ofBranch(
    applicationId: string,
    branch: string,
    through: Kysely<unknown>,
  ): Promise<Preview | undefined> {
    const { rows } = await sql<Preview>`
      select ${columns} from ${tables}
      where previews.application_uuid = ${applicationId} and branch = ${branch}`.execute(through);
    return rows[0];
  }

  /** Deletes a preview; false if it does not exist. */
  async remove(environmentId: string, transaction: Kysely<unknown>): Promise<boolean> {
    await lockApplicationRow(
      transaction,
      sql`(select application_uuid from previews where environment_id = ${environmentId})`,
    );
    const { numAffectedRows = 0n } = await sql`
      delete from environments where environment_id = ${environmentId}
        and exists (select from previews where previews.environment_id = environments.environment_id)`.execute(
      transaction,
    );
    return numAffectedRows > 0n;
  }

  /** Previews of an application, newest first. */
  async list(applicationId: string): Promise<Preview[]> {
    const { rows } = await sql<Preview>`
      select ${columns} from ${tables} where previews.application_uuid = ${applicationId}
      order by environment_id desc`.execute(this.#db);
    return rows;
  }

  async find(applicationId: string, name: string): Promise<Preview | undefined> {
    const { rows } = await sql<Preview>`
      select ${columns} from ${tables}
      where previews.application_uuid = ${applicationId} and environments.name = ${name}`.execute(this.#db);
    return rows[0];
  }

  /**
   * Creates the branch's preview, or updates the pull request of the existing one. Throws Refusal if the application
   * has too many previews. `transaction` holds the application's row until its end.
   */
  async open(
    { application_uuid, subdomain }: Pick<Application, 'application_uuid' | 'subdomain'>,
    { branch, pullRequest }: NewPreview,
    now: Temporal.Instant,
    transaction: Kysely<unknown>,
  ): Promise<{ preview: Preview; isNew: boolean }> {
    await sql`
      select from applications where application_uuid = ${application_uuid} for no key update`.execute(
      transaction,
    );
    const { rows: known } = await sql<{ branch: string }>`
      update previews set pull_request = coalesce(${pullRequest}, pull_request)
      where application_uuid = ${application_uuid} and branch = ${branch} returning branch`.execute(
      transaction,
    );
    if (known.length === 0)
      await this.#add({ application_uuid, subdomain }, { branch, pullRequest }, now, transaction);
    const preview = await this.ofBranch(application_uuid, branch, transaction);
    if (!preview) throw new Error('what was opened is not there');
    return { preview, isNew: known.length === 0 };
  }

  /**
   * Puts previews to sleep that were neither visited nor deployed after the time `since`: their processes stop until
   * the next visit. Returns the number of these previews.
   */
  async putToSleep(since: Temporal.Instant, now: Temporal.Instant): Promise<number> {
    const before = toTimestamp(since);
    const idle = sql`
      previews.visited_at < ${before} and environments.deployed_at < ${before} and sites.state in ('live', 'down')
      and not exists (select from deployments where deployments.environment_id = previews.environment_id
        and deployments.status in ('queued', 'building', 'starting'))`;
    const from = sql`${tables} join sites on sites.environment_id = previews.environment_id`;
    const { rows } = await sql<EnvironmentName>`
      select previews.environment_id from ${from} where ${idle}`.execute(this.#db);
    let asleep = 0;
    for (const { environment_id: id } of rows) {
      asleep += await lockEnvironment(this.#db, id, async (transaction) => {
        const { numAffectedRows = 0n } = await sql`
          update sites set state = 'asleep', note = null, changed_at = ${toTimestamp(now)}
          where environment_id = ${id}
            and exists (select from ${from} where previews.environment_id = ${id} and ${idle})`.execute(
          transaction,
        );
        return Number(numAffectedRows);
      }).catch((error) => {
        // The preview was removed while it was being put to sleep.
        if (error instanceof Cancelled) return 0;
        throw error;
      });
    }
    return asleep;
  }

  async #add(
    { application_uuid, subdomain }: Pick<Application, 'application_uuid' | 'subdomain'>,
    { branch, pullRequest }: NewPreview,
    now: Temporal.Instant,
    transaction: Kysely<unknown>,
  ): Promise<void> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from previews where application_uuid = ${application_uuid}`.execute(
      transaction,
    );
    if ((rows[0]?.count ?? 0) >= this.#most)
      throw new Refusal(403, 'too_many_previews', messages.tooMany(this.#most));
    const environment_id = newId();
    for (let ending: string | undefined; ; ending = randomEnding()) {
      const name = previewName(branch, ending);
      const judged = judgeSubdomain(previewSubdomain(subdomain, name));
      if ('wrong' in judged) continue;
      const { numAffectedRows = 0n } = await sql`
        ${insertInto('environments', { environment_id, application_uuid, name, ...judged })}
        on conflict do nothing`.execute(transaction);
      if (numAffectedRows > 0n) break;
    }
    await insertInto('previews', {
      environment_id,
      application_uuid,
      branch,
      pull_request: pullRequest,
      created_at: now,
      last_updated: now,
      visited_at: now,
    }).execute(transaction);
  }
}
