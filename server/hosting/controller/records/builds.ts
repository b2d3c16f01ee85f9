import { type Kysely, sql } from 'kysely';
import type { Artifact } from '../../model/artifact.ts';
import {
  type Build,
  isUnfinishedDeployment,
  type Release,
  releaseColumns,
  releaseTables,
} from '../../model/deployment-rows.ts';
import { PRODUCTION } from '../../model/environments.ts';
import type { LeaseFence } from '../../model/lease-fence.ts';
import { deleteUnneededUploads } from '../../uploads/store.ts';

export interface BuildRecordsParts {
  db: Kysely<unknown>;
  fence: LeaseFence;
}

/** Releases and their builds, written by the lease holder. */
export class BuildRecords {
  readonly #db: Kysely<unknown>;
  readonly #fence: LeaseFence;

  constructor({ db, fence }: BuildRecordsParts) {
    this.#db = db;
    this.#fence = fence;
  }

  /** Finds an application's newest release whose input has this fingerprint. */
  async findRelease(applicationId: string, fingerprint: Buffer): Promise<Release | undefined> {
    const { rows } = await sql<Release>`
      select ${releaseColumns} from ${releaseTables}
      where releases.application_uuid = ${applicationId} and releases.fingerprint = ${fingerprint}
      order by release_id desc limit 1`.execute(this.#db);
    return rows[0];
  }

  /** Finds an application's newest build whose input has this fingerprint. */
  async findBuild(applicationId: string, fingerprint: Buffer): Promise<Build | undefined> {
    const { rows } = await sql<Build>`
      select build_id, artifact from builds
      where application_uuid = ${applicationId} and fingerprint = ${fingerprint}
      order by build_id desc limit 1`.execute(this.#db);
    return rows[0];
  }

  /** Stored artifact of a build; undefined if the build was deleted. */
  async artifactOf(buildId: string): Promise<Artifact | undefined> {
    const { rows } = await sql<Pick<Build, 'artifact'>>`
      select artifact from builds where build_id = ${buildId}`.execute(this.#db);
    return rows[0]?.artifact;
  }

  /** Stores the artifact of a build that was repeated on this machine. */
  noteArtifact(buildId: string, artifact: Artifact): Promise<void> {
    return this.#fence.write(async (transaction) => {
      await sql`
        update builds set artifact = ${JSON.stringify(artifact)}::jsonb
        where build_id = ${buildId}`.execute(transaction);
    });
  }

  /** Stores the port on which a release was found to listen, so that the next start does not search for it. */
  notePort(releaseId: string, port: number): Promise<void> {
    return this.#fence.write(async (transaction) => {
      await sql`
        update releases set plan = plan || ${JSON.stringify({ port })}::jsonb
        where release_id = ${releaseId}`.execute(transaction);
    });
  }

  /**
   * Deletes all releases except the newest ones of production, those that sites run and those that unfinished
   * deployments need, also of other applications. Then deletes the builds without a release. Returns the builds that are kept. Must not be called while a build
   * of the application is being made.
   */
  pruneReleases(applicationId: string, most: number): Promise<Set<string>> {
    return this.#fence.write(async (transaction) => {
      // The lock makes this deletion wait for earlier requests for one of the releases, and later requests wait for the
      // deletion.
      await sql`select from environments where application_uuid = ${applicationId} for update`.execute(
        transaction,
      );
      await deleteReleases(transaction, applicationId, most);
      await deleteUnneededUploads(transaction, applicationId);
      await sql`
        delete from builds where application_uuid = ${applicationId}
          and not exists (select from releases where releases.build_id = builds.build_id)`.execute(
        transaction,
      );
      const kept = await sql<{ build_id: string }>`
        select build_id from builds where application_uuid = ${applicationId}`.execute(transaction);
      return new Set(kept.rows.map((row) => row.build_id));
    }, applicationId);
  }

  /** Versions of Node.js that builds were made with. */
  async findNodeVersions(): Promise<Set<string>> {
    const { rows } = await sql<{ node: string }>`
      select distinct artifact ->> 'node' as node from builds where artifact ->> 'node' is not null`.execute(
      this.#db,
    );
    return new Set(rows.map(({ node }) => node));
  }
}

async function deleteReleases(
  transaction: Kysely<unknown>,
  applicationId: string,
  most: number,
): Promise<void> {
  await sql`
    delete from releases where application_uuid = ${applicationId} and release_id not in (
      (select release_id from deployments
       join environments on environments.environment_id = deployments.environment_id
       where deployments.application_uuid = ${applicationId} and environments.name = ${PRODUCTION}
         and release_id is not null
       group by release_id order by release_id desc limit ${most})
      union
      select release_id from deployments where application_uuid = ${applicationId} and release_id is not null
        and deployment_uuid in (select deployment_uuid from sites)
      union
      select release_id from deployments
      where status in (${isUnfinishedDeployment}) and release_id is not null
    )`.execute(transaction);
}
