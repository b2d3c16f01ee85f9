import type { Clock } from '../../../kernel/clock.ts';
import type { Encryption } from '../../../kernel/encryption.ts';
import { newId } from '../../../kernel/identifiers.ts';
import type { Application, ApplicationStore } from '../../applications/store.ts';
import { type Builder, runsBuildCommands } from '../../builds/builder.ts';
import { messages } from '../../deployments/messages.ts';
import type { Release } from '../../model/deployment-rows.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { reason } from '../../model/reasons/reason.ts';
import type { BuildName } from '../../model/site-folders.ts';
import { differingBuildVariables } from '../../model/variables.ts';
import type { UploadStore } from '../../uploads/store.ts';
import type { Records } from '../records/records.ts';
import type { Artifacts } from './artifacts.ts';
import type { DeploymentWork } from './deployment-work.ts';
import type { DiskBudget } from './disk-budget.ts';
import type { Launches } from './launches.ts';

export interface ReleaseCopierParts {
  applications: Pick<ApplicationStore, 'find' | 'siteVariables'>;
  records: Pick<Records, 'fence' | 'deployments' | 'builds'>;
  builder: Pick<Builder, 'has' | 'copy'>;
  artifacts: Pick<Artifacts, 'ensure'>;
  uploads: Pick<UploadStore, 'copy'>;
  launches: Pick<Launches, 'addressOf'>;
  diskBudget: Pick<DiskBudget, 'admitBuild'>;
  encryption: Pick<Encryption, 'fingerprint'>;
  clock: Clock;
}

/**
 * Copies releases of other applications that are promoted. The copy belongs to the deployment's application, so it
 * stays when the other application or its release is deleted.
 */
export class ReleaseCopier {
  readonly #parts: ReleaseCopierParts;

  constructor(parts: ReleaseCopierParts) {
    this.#parts = parts;
  }

  async copy(work: DeploymentWork, release: Release): Promise<Release> {
    const source = await this.#findSource(work, release);
    const variables = await this.#parts.applications.siteVariables(source);
    work.hideFurther(variables);
    if (runsBuildCommands(release.recipe.plan)) {
      const differing = differingBuildVariables(variables, work.variables);
      if (differing.length > 0) work.log.write(messages.log.otherBuildVariables(differing, source.name));
    }
    const fingerprint = this.#parts.encryption.fingerprint(
      release.release_id,
      `promoted:${work.row.application_uuid}`,
    );
    const same = await this.#findCopy(work, fingerprint);
    if (same) {
      work.log.write(messages.log.copiedAlready);
      await this.#parts.records.deployments.useRelease(work.row, { release: same }, this.#parts.clock());
      return same;
    }
    const { log, signal } = work;
    const address = this.#parts.launches.addressOf(source);
    const context = { application: source, variables, address, signal, log, inBuildSlot: work.inBuildSlot };
    return this.#copyTo(work, await this.#parts.artifacts.ensure(release, context), fingerprint);
  }

  /** Environment of the other application that the release is promoted from; its production, if the preview is gone. */
  async #findSource({ row }: DeploymentWork, { application_uuid: id }: Release): Promise<Application> {
    const { applications } = this.#parts;
    const preview = row.promoted_from === null ? undefined : await applications.find(id, row.promoted_from);
    const source = preview ?? (await applications.find(id));
    if (!source) throw new RuntimeFailure(reason('release_gone'));
    return source;
  }

  /** Finds the copy that an earlier promotion of the same release made, if its artifact still exists. */
  async #findCopy({ row, signal }: DeploymentWork, fingerprint: Buffer): Promise<Release | undefined> {
    const { records, builder } = this.#parts;
    const { application_uuid: applicationId } = row;
    const same = await records.builds.findRelease(applicationId, fingerprint);
    if (!same) return undefined;
    const name = { applicationId, buildId: same.build_id };
    return (await builder.has(name, same.artifact, signal)) ? same : undefined;
  }

  async #copyTo(
    { row, application, log, signal }: DeploymentWork,
    release: Release,
    fingerprint: Buffer,
  ): Promise<Release> {
    const { records, builder, uploads, diskBudget, clock } = this.#parts;
    await diskBudget.admitBuild(application.owner_id, signal);
    const from: BuildName = { applicationId: release.application_uuid, buildId: release.build_id };
    const to: BuildName = { applicationId: row.application_uuid, buildId: newId() };
    const artifact = await log.step('copy', () =>
      records.fence.runEffect(() => builder.copy(from, to, release.artifact, signal)),
    );
    const { upload_id: upload } = release;
    const copy: Release = {
      ...release,
      release_id: row.deployment_uuid,
      application_uuid: row.application_uuid,
      upload_id: upload === null ? null : await uploads.copy(upload, row.application_uuid, clock()),
      built_by: release.built_by ?? release.application_uuid,
      build_id: to.buildId,
      artifact,
    };
    const made = { release: fingerprint, build: fingerprint };
    await records.deployments.useRelease(row, { release: copy, made }, clock());
    return copy;
  }
}
