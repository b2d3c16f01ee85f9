import { type Kysely, type RawBuilder, sql } from 'kysely';
import { keyNeededRefusal } from '../../identity/developers.ts';
import { pageOfRows } from '../../kernel/database/pages.ts';
import { assignColumns, insertInto } from '../../kernel/database/rows.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import { inTransaction, toParameter } from '../../kernel/database/transaction.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Admission } from '../budgets/budget.ts';
import { PRODUCTION } from '../model/environments.ts';
import { accessibleApplications, findRole, type Role, roleOf } from '../model/people.ts';
import type { PlanSettings } from '../model/plan.ts';
import type { ScopedVariables } from '../model/variables.ts';
import type { Volume } from '../model/volume.ts';
import { recordDelivery } from './deliveries.ts';
import { type EnvironmentVariables, MOST_VARIABLES, type VariableChanges } from './environment.ts';
import type { ApplicationChanges, NewApplication, PREVIEWS } from './fields.ts';
import { newHookSecret } from './hook-secret.ts';
import { messages } from './messages.ts';
import {
  deleteSecrets,
  type ImageSource,
  readHookSecret,
  readImageSource,
  readSource,
  replaceDeployKey,
  replaceHookSecret,
  replaceHookSecrets,
  secretContexts,
  sourceColumns,
} from './secrets.ts';
import { randomEnding, subdomainFrom } from './subdomain.ts';
import {
  type DefinitionChanges,
  type VariableDefinition,
  valueChanges,
  valuesByName,
  withChanges,
} from './variable-definitions.ts';
import { siteVariables, type VariableLayers } from './variable-layers.ts';
import { readDefinitions, readLayers, readVariableNames, writeDefinitions } from './variables.ts';

export const APPLICATION_STATUSES = ['created', 'deploying', 'live', 'stopped', 'down', 'failed'] as const;
export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number];
/** Statuses of previews: those of production, and `asleep`, because only previews fall asleep. */
export const PREVIEW_STATUSES = [...APPLICATION_STATUSES, 'asleep'] as const;
export type EnvironmentStatus = (typeof PREVIEW_STATUSES)[number];

/**
 * An application as stored in the database, without its secrets, with one of its environments: `production` or a
 * preview.
 */
export interface Application {
  application_uuid: string;
  /** Environment to which the address, the status and the variables in this object belong. */
  environment_id: string;
  /** Name of the preview; null for production. */
  preview: string | null;
  owner_id: string;
  /** Mail address of the owner. */
  owner: string;
  name: string;
  subdomain: string;
  /**
   * Repository's address that may be shown to people: without a password or a token. Null for an application whose
   * owner uploads folders.
   */
  repository: string | null;
  /** Full name of the image that the site runs; null for another source. */
  image: string | null;
  /** User name at the image's registry; null if the application has no login there. */
  registry_user: string | null;
  /** Branch that is deployed; null for the repository's own default branch. */
  branch: string | null;
  root: string | null;
  type: NonNullable<PlanSettings['type']> | null;
  install: string | null;
  build: string | null;
  start: string | null;
  publish: string | null;
  node: string | null;
  spa: boolean | 'auto' | null;
  port: number | null;
  health_path: string;
  sticky: boolean;
  time_zone: string;
  /** Patterns of the paths whose changes a push deploys; null: the root folder. */
  watch_paths: string[] | null;
  response_seconds: number | null;
  max_body_mb: number | null;
  previews: (typeof PREVIEWS)[number];
  volumes: readonly Volume[];
  /** Requested number of replicas, by process. */
  processes: Readonly<Record<string, number>>;
  status: EnvironmentStatus;
  deploy_key: string | null;
  created_at: string;
  last_updated: string;
  deployed_at: string | null;
}

/** Application as an account finds it; the role is null for a stranger, and if no account asks. */
export type FoundApplication = Application & { role: Role | null };
/** Application to which an account has access. */
export type AccessibleApplication = Application & { role: Role };

export type EnvironmentName = Pick<Application, 'application_uuid' | 'environment_id'>;
/** Application with the environment whose variables are meant. */
export type VariablesOwner = Pick<Application, 'application_uuid' | 'environment_id' | 'preview'>;

type Row = Omit<Application, TimeField | 'spa'> & Record<TimeField, Date | null> & { spa: string | null };
type TimeField = 'created_at' | 'last_updated' | 'deployed_at';

/** Application limit for users without a verified address, who can't deploy; all others have a budget. */
const MOST_UNVERIFIED = 20;

/** Volumes of an environment. A preview has folders of its own at the paths of production's volumes. */
const volumesOf = sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('name', volumes.name, 'path', volumes.path,
      'content', case when holding.environment_id = environments.environment_id then volumes.content else volumes.name end) order by volumes.name)
    from volumes join environments holding on holding.environment_id = volumes.environment_id
    where holding.application_uuid = applications.application_uuid and holding.name = ${PRODUCTION}), '[]')`;
const columns = sql`
  applications.application_uuid, environments.environment_id, nullif(environments.name, ${PRODUCTION}) as preview,
  owner_id, (select email from users where account_id = owner_id) as owner, applications.name, subdomain, repository,
  image, registry_user,
  coalesce(previews.branch, applications.branch) as branch, root, type, node, install, build, start, publish, spa, port,
  health_path, sticky, time_zone, watch_paths, response_seconds, max_body_mb, applications.previews,
  environments.processes, ${volumesOf} as volumes, status, deploy_key_public as deploy_key, applications.created_at,
  coalesce(previews.last_updated, applications.last_updated) as last_updated, deployed_at`;
const tables = sql`
  applications join environments on environments.application_uuid = applications.application_uuid
  left join previews on previews.environment_id = environments.environment_id`;

/**
 * Applications, their variables and keys in the database. Each change is a transaction of its own, or a part of the
 * caller's transaction `through`. The caller checks access (access.ts).
 */
export class ApplicationStore {
  readonly #db: Kysely<unknown>;
  readonly #encryption: Encryption;
  readonly #budgets: Admission;

  constructor(db: Kysely<unknown>, encryption: Encryption, budgets: Admission) {
    this.#db = db;
    this.#encryption = encryption;
    this.#budgets = budgets;
  }

  /**
   * Creates an application. Throws OverBudget, or a 409 if the requested subdomain is taken; a subdomain made from
   * the name gets a random ending until it is free.
   */
  add(
    owner: { id: string; verified: boolean },
    application: NewApplication,
    now: Temporal.Instant,
    through = this.#db,
  ): Promise<Application> {
    return this.#budgets.admit(through, { ownerId: owner.id }, async (transaction) => {
      await refuseUnverified(transaction, owner);
      const id = newId();
      const {
        subdomain: requestedSubdomain,
        spa,
        repository,
        image,
        registry_password,
        ...plain
      } = application;
      await insertInto('applications', {
        application_uuid: id,
        owner_id: owner.id,
        ...plain,
        spa: spaColumn(spa),
        ...sourceColumns(this.#encryption, id, { repository, image, registry_password }),
        hook_secret_sealed: this.#encryption.seal(newHookSecret(), secretContexts.hook(id)),
        created_at: now,
        last_updated: now,
      }).execute(transaction);
      for (let ending: string | undefined; ; ending = randomEnding()) {
        const { numAffectedRows = 0n } = await sql`
          ${insertInto('environments', {
            environment_id: newId(),
            application_uuid: id,
            name: PRODUCTION,
            subdomain: requestedSubdomain ?? subdomainFrom(application.name, ending),
          })}
          on conflict (subdomain) do nothing`.execute(transaction);
        if (numAffectedRows > 0n) break;
        if (requestedSubdomain) throw subdomainTaken();
      }
      const added = await this.#productionOf(id, transaction);
      if (!added) throw new Error('what was added is not there');
      return added;
    });
  }

  /**
   * A page of the applications to which an account has access, newest first, and their total number.
   */
  async list(accountId: string, page: { limit: number; offset: bigint }) {
    const from = sql`
      ${tables} where environments.name = ${PRODUCTION}
        and applications.application_uuid in (${accessibleApplications(accountId)})`;
    const { rows, total } = await pageOfRows<Row & { role: Role }>(
      this.#db,
      { columns: sql`${columns}, ${roleOf(accountId)} as role`, from, order: sql`application_uuid desc` },
      page,
    );
    return { applications: rows.map(present), total };
  }

  /**
   * Finds an application with its production environment, or with the preview named `preview`, and the role of an
   * account in it. `named` is the application's UUID, or the subdomain or name of an application to which the account
   * has access; its own come first. Throws a 404 if several have that name.
   */
  async find(named: string, preview?: string, accountId?: string): Promise<FoundApplication | undefined> {
    const uuid = isUuid(named) ? named : await this.#idOf(named, accountId);
    if (uuid === undefined) return undefined;
    const isIt =
      preview === undefined
        ? isProductionOf(uuid)
        : sql`previews.application_uuid = ${uuid} and environments.name = ${toStorableText(preview)}`;
    const { rows } = await sql<Row & { role: Role | null }>`
      select ${columns}, ${roleOf(accountId)} as role from ${tables} where ${isIt}`.execute(this.#db);
    return rows[0] && present(rows[0]);
  }

  /** Role of an account in an application: null for a stranger, undefined if the application does not exist. */
  roleIn(uuid: string, accountId: string): Promise<Role | null | undefined> {
    return findRole(this.#db, accountId, uuid);
  }

  /** Finds an application by one of its environments, and returns it with that environment. */
  at(environmentId: string): Promise<Application | undefined> {
    return this.#findWhere(sql`environments.environment_id = ${environmentId}`, this.#db);
  }

  /** Changes an application; undefined if it does not exist. */
  change(
    uuid: string,
    changes: ApplicationChanges,
    now: Temporal.Instant,
    through = this.#db,
  ): Promise<Application | undefined> {
    const { subdomain, spa, repository, image, registry_password, ...plain } = changes;
    const row = {
      ...plain,
      ...(spa !== undefined && { spa: spaColumn(spa) }),
      ...sourceColumns(this.#encryption, uuid, { repository, image, registry_password }),
      last_updated: now,
    };
    return inTransaction(through, async (transaction) => {
      const { numAffectedRows = 0n } = await sql`
          update applications set ${assignColumns(row)} where application_uuid = ${uuid}`.execute(
        transaction,
      );
      if (numAffectedRows === 0n) return undefined;
      if (subdomain) {
        await sql`
            update environments set subdomain = ${subdomain}
            where application_uuid = ${uuid} and name = ${PRODUCTION}`.execute(transaction);
      }
      return this.#productionOf(uuid, transaction);
    }).catch(subdomainConflict);
  }

  /** Deletes an application; false if it does not exist. */
  async remove(uuid: string): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      delete from applications where application_uuid = ${uuid}`.execute(this.#db);
    return numAffectedRows > 0n;
  }

  /** Values of an environment's own variables, decrypted, ordered by name. */
  async variables(environmentId: string): Promise<EnvironmentVariables> {
    const parent = { kind: 'environment', id: environmentId } as const;
    return valuesByName(await readDefinitions(this.#db, this.#encryption, parent));
  }

  /** Names of an environment's own variables, in alphabetical order. */
  variableNames(environmentId: string): Promise<string[]> {
    return readVariableNames(this.#db, environmentId);
  }

  /** Everything that sets variables of an environment's site, decrypted. */
  variableLayers(environmentId: string): Promise<VariableLayers> {
    return readLayers(this.#db, this.#encryption, environmentId);
  }

  /** Variables of a site with their scopes, decrypted. */
  async siteVariables({
    environment_id: id,
    preview,
  }: Pick<Application, 'environment_id' | 'preview'>): Promise<ScopedVariables> {
    return siteVariables(await this.variableLayers(id), preview === null ? 'production' : 'previews');
  }

  /**
   * Changes values of environment variables and returns all of them; undefined if the application does not exist. A
   * variable that is stored keeps its scope and its value for previews.
   */
  async changeVariables(
    application: VariablesOwner,
    changes: VariableChanges,
    now: Temporal.Instant,
    through = this.#db,
  ): Promise<{ env: EnvironmentVariables; last_updated: string; former: string[] } | undefined> {
    const changed = await this.changeDefinitions(application, valueChanges(changes), now, through);
    if (!changed) return undefined;
    const { definitions, ...others } = changed;
    return { env: valuesByName(definitions), ...others };
  }

  /**
   * Changes an environment's own variables, and returns them with the names of those before (`former`); undefined if the
   * application does not exist.
   */
  changeDefinitions(
    { application_uuid: uuid, environment_id: id, preview }: VariablesOwner,
    changes: DefinitionChanges,
    now: Temporal.Instant,
    through = this.#db,
  ): Promise<{ definitions: VariableDefinition[]; last_updated: string; former: string[] } | undefined> {
    return inTransaction(through, async (transaction) => {
      // The updated row serves as a lock: concurrent changes run one after the other, so the limit holds.
      const at = toParameter(now);
      const { numAffectedRows = 0n } = await (preview === null
        ? sql`update applications set last_updated = ${at} where application_uuid = ${uuid}`
        : sql`update previews set last_updated = ${at} where environment_id = ${id}`
      ).execute(transaction);
      if (numAffectedRows === 0n) return undefined;
      const parent = { kind: 'environment', id } as const;
      const stored = await readDefinitions(transaction, this.#encryption, parent);
      const definitions = withChanges(stored, changes, MOST_VARIABLES);
      await writeDefinitions(transaction, this.#encryption, parent, definitions, Object.keys(changes));
      return { definitions, last_updated: at, former: stored.map(({ name }) => name) };
    });
  }

  /**
   * Replaces the key pair and returns the public key. Host keys of the repository's host are forgotten and trusted
   * anew.
   */
  makeDeployKey(uuid: string, comment: string, through = this.#db): Promise<string | undefined> {
    return replaceDeployKey(through, this.#encryption, uuid, comment);
  }

  /** Replaces the secret of an application's push hook. */
  makeHookSecret(uuid: string, through = this.#db): Promise<string | undefined> {
    return replaceHookSecret(through, this.#encryption, uuid);
  }

  /** Replaces the push hooks' secrets of all applications of an owner. */
  renewHookSecrets(ownerId: string, transaction: Kysely<unknown>): Promise<void> {
    return replaceHookSecrets(transaction, this.#encryption, sql`owner_id = ${ownerId}`);
  }

  /** Deletes all secrets of applications that can no longer be decrypted. */
  forgetSecrets(transaction: Kysely<unknown>): Promise<void> {
    return deleteSecrets(transaction, this.#encryption);
  }

  /**
   * Secret with which webhook deliveries of the push hook are verified; undefined if the application does not exist.
   */
  hookSecret(uuid: string): Promise<string | undefined> {
    return readHookSecret(this.#db, this.#encryption, uuid);
  }

  /**
   * Runs `work` for a webhook delivery of the push hook and records the delivery, in one transaction. Returns false,
   * without doing anything, if the delivery was recorded before.
   */
  oncePerDelivery(
    uuid: string,
    digest: Buffer,
    now: Temporal.Instant,
    work: (transaction: Kysely<unknown>, deliveryId: string) => Promise<unknown>,
  ): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const deliveryId = await recordDelivery(transaction, uuid, digest, now);
      if (deliveryId !== undefined) await work(transaction, deliveryId);
      return deliveryId !== undefined;
    });
  }

  /**
   * Repository's address for git, including credentials (never to be shown or logged), and the private deploy key. The
   * address is null for an application without a repository.
   */
  source(uuid: string): Promise<{ address: string | null; deployKey: string | undefined } | undefined> {
    return readSource(this.#db, this.#encryption, uuid);
  }

  /** Image of an application with its login at the registry, which is never to be shown or logged. */
  imageSource(uuid: string): Promise<ImageSource | undefined> {
    return readImageSource(this.#db, this.#encryption, uuid);
  }

  async hostKeys(uuid: string): Promise<string> {
    const { rows } = await sql<{ host_keys: string }>`
      select host_keys from applications where application_uuid = ${uuid}`.execute(this.#db);
    return rows[0]?.host_keys ?? '';
  }

  async keepHostKeys(uuid: string, keys: string, before: string): Promise<void> {
    await sql`
      update applications set host_keys = ${keys}
      where application_uuid = ${uuid} and host_keys = ${before}`.execute(this.#db);
  }

  /** True if the application's owner has verified their mail address, which deployments require. */
  async ownerIsVerified(uuid: string): Promise<boolean> {
    const { rows } = await sql<{ verified: boolean }>`
      select users.verified from applications join users on users.account_id = applications.owner_id
      where applications.application_uuid = ${uuid}`.execute(this.#db);
    return rows[0]?.verified ?? false;
  }

  /**
   * Id of the application with that subdomain, or else with that name, among an account's own applications, or else
   * among those shared with it.
   */
  async #idOf(named: string, accountId: string | undefined): Promise<string | undefined> {
    if (accountId === undefined) return undefined;
    const text = toStorableText(named);
    const { rows } = await sql<{ id: string; is_own: boolean; is_subdomain: boolean }>`
      select applications.application_uuid as id, owner_id = ${accountId} as is_own,
        subdomain = lower(${text}) as is_subdomain
      from applications join environments on environments.application_uuid = applications.application_uuid
      where applications.application_uuid in (${accessibleApplications(accountId)})
        and environments.name = ${PRODUCTION}
        and (subdomain = lower(${text}) or applications.name = ${text})
      order by is_own desc, is_subdomain desc limit 2`.execute(this.#db);
    const [first, second] = rows;
    const isAmbiguous = second && !first?.is_subdomain && second.is_own === first?.is_own;
    if (isAmbiguous) throw new Refusal(404, 'ambiguous_name', messages.ambiguousName);
    return first?.id;
  }

  #productionOf(uuid: string, executor: Kysely<unknown>) {
    return this.#findWhere(isProductionOf(uuid), executor);
  }

  async #findWhere(which: RawBuilder<unknown>, executor: Kysely<unknown>): Promise<Application | undefined> {
    const { rows } = await sql<Row>`select ${columns} from ${tables} where ${which}`.execute(executor);
    return rows[0] && present(rows[0]);
  }
}

/**
 * Refuses a further application to an owner without a verified address who has reached the limit. The owner's row is
 * already locked here (budgets/store.ts), so simultaneous requests can't exceed the limit.
 */
async function refuseUnverified(transaction: Kysely<unknown>, owner: { id: string; verified: boolean }) {
  const { rows: owners } = await sql`select 1 from users where account_id = ${owner.id}`.execute(transaction);
  // The owner's account may have been deleted after the request's key was checked.
  if (owners.length === 0) throw keyNeededRefusal();
  if (owner.verified) return;
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from applications where owner_id = ${owner.id}`.execute(transaction);
  if ((rows[0]?.count ?? 0) >= MOST_UNVERIFIED) {
    throw new Refusal(403, 'too_many_applications', messages.tooManyApplications(MOST_UNVERIFIED));
  }
}

function subdomainTaken(): Refusal {
  return new Refusal(409, 'subdomain_taken', messages.subdomainTaken);
}

function subdomainConflict(error: unknown): never {
  throw (error as { constraint?: string }).constraint === 'environments_subdomain' ? subdomainTaken() : error;
}

/** SQL that selects the production environment of an application. */
function isProductionOf(uuid: string): RawBuilder<boolean> {
  return sql`applications.application_uuid = ${uuid} and environments.name = ${PRODUCTION}`;
}

/** Column value of the setting `spa`: `true`, `false` or `auto`. */
function spaColumn(spa: Application['spa']): string | null {
  return spa === null ? null : String(spa);
}

function present<R extends Row>(row: R): Omit<R, TimeField | 'spa'> & Pick<Application, TimeField | 'spa'> {
  return {
    ...row,
    spa: row.spa === null || row.spa === 'auto' ? row.spa : row.spa === 'true',
    created_at: row.created_at?.toISOString() ?? '',
    last_updated: row.last_updated?.toISOString() ?? '',
    deployed_at: row.deployed_at?.toISOString() ?? null,
  };
}
