import type { Encryption } from '../../../kernel/encryption.ts';
import { siteAddress } from '../../applications/address.ts';
import { healthPathOf } from '../../applications/fields.ts';
import type { Application, ApplicationStore } from '../../applications/store.ts';
import type { DeploymentStore } from '../../deployments/store.ts';
import type { DeploymentRow, Release, SiteRow } from '../../model/deployment-rows.ts';
import type { Launch } from '../../model/launch.ts';
import { type SlotGroup, slotGroupsOf, slotsOf } from '../../model/slots.ts';
import type { ScopedVariables } from '../../model/variables.ts';
import { versionKind } from '../../model/version.ts';

export interface LaunchesParts {
  applications: Pick<ApplicationStore, 'at'>;
  store: Pick<DeploymentStore, 'release' | 'site'>;
  encryption: Pick<Encryption, 'open' | 'seal'>;
  settings: Parameters<typeof siteAddress>[0];
  /** True if the runtime starts all replicas of a process as one instance. */
  groupsReplicas: boolean;
}

/** Launches: everything that is needed to start a site's processes, put together from the database. */
export class Launches {
  readonly #parts: LaunchesParts;

  constructor(parts: LaunchesParts) {
    this.#parts = parts;
  }

  /**
   * Launch of the process in a slot of a site; undefined if its application or its release is gone. `variables` are
   * used instead of the site's own, which can't always be read.
   */
  async launchOf(
    row: SiteRow,
    { process, number }: Pick<Launch, 'process' | 'number'>,
    variables?: ScopedVariables,
  ): Promise<Launch | undefined> {
    const { applications, store, groupsReplicas } = this.#parts;
    const [application, release] = await Promise.all([
      applications.at(row.environment_id),
      store.release(row.deployment_uuid),
    ]);
    if (!application || !release) return undefined;
    const group = slotGroupsOf(row, groupsReplicas).find(
      (one) => one.process === process && one.number === number,
    );
    const site = { address: this.addressOf(row), variables: variables ?? this.variablesOf(row) };
    return createLaunch(application, row, release, site, group ?? { process, number, replicas: 1 });
  }

  /** Launch of a command of an environment's current release; undefined if there is no release. */
  async launchOfCommand(environmentId: string, process: string): Promise<Launch | undefined> {
    const row = await this.#parts.store.site(environmentId);
    return row && this.launchOf(row, { process, number: 1 });
  }

  addressOf({ subdomain }: Pick<Application, 'subdomain'>): string {
    return siteAddress(this.#parts.settings, subdomain);
  }

  /** Environment variables that the site was started with. Throws if they were encrypted with another key. */
  variablesOf(row: SiteRow): ScopedVariables {
    return JSON.parse(this.#parts.encryption.open(row.variables_sealed, sealContext(row.environment_id)));
  }

  /** Encrypts environment variables in the form that a site's row stores. */
  sealVariables(environmentId: string, variables: ScopedVariables): string {
    return this.#parts.encryption.seal(JSON.stringify(variables), sealContext(environmentId));
  }
}

/** Launch of a process of a deployment's release. */
export function createLaunch(
  application: Application,
  { environment_id, deployment_uuid }: Pick<DeploymentRow, 'environment_id' | 'deployment_uuid'>,
  release: Release,
  { address, variables }: Pick<Launch, 'address' | 'variables'>,
  group: SlotGroup,
): Launch {
  const { processes: requested } = application;
  const { release_id, build_id, commit_hash, artifact, plan } = release;
  return {
    ownerId: application.owner_id,
    environmentId: environment_id,
    applicationId: application.application_uuid,
    deploymentId: deployment_uuid,
    releaseId: release_id,
    buildId: build_id,
    commit: commit_hash,
    source: versionKind(release),
    preview: application.preview,
    address,
    artifact,
    plan,
    ...group,
    isOneOfSeveral: slotsOf({ plan, requested, state: 'live' }).length > 1,
    variables,
    healthPath: healthPathOf(application, plan),
    volumes: application.volumes,
    sticky: application.sticky,
  };
}

function sealContext(environmentId: string): string {
  return `site variables:${environmentId}`;
}
