import { type Kysely, type RawBuilder, sql } from 'kysely';
import { keyNeededRefusal } from '../../identity/developers.ts';
import { assignColumns, insertInto } from '../../kernel/database/rows.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import { inTransaction, toParameter } from '../../kernel/database/transaction.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import { newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Application } from '../applications/store.ts';
import {
  type DefinitionChanges,
  type VariableDefinition,
  withChanges,
} from '../applications/variable-definitions.ts';
import { readDefinitions, writeDefinitions } from '../applications/variables.ts';
import {
  type GroupChanges,
  MOST_GROUP_VARIABLES,
  MOST_GROUPS,
  MOST_LINKED,
  type NewGroup,
} from './fields.ts';
import { messages } from './messages.ts';

export interface Group {
  group_id: string;
  name: string;
  variable_names: string[];
  /** Applications to which the group is linked. */
  applications: Pick<Application, 'application_uuid' | 'name' | 'subdomain'>[];
  created_at: Date;
  last_updated: Date;
}

/**
 * Called in the transaction that changes or deletes a group, with the applications to which the group is linked, and
 * the names of its variables before.
 */
export type OnChanged = (
  transaction: Kysely<unknown>,
  applicationIds: readonly string[],
  former: readonly string[],
) => Promise<void>;

export type GroupWithVariables = Group & { variables: readonly VariableDefinition[] };

const columns = sql`
  group_id, name, created_at, last_updated,
  array(select group_variables.name from group_variables
    where group_variables.group_id = variable_groups.group_id order by group_variables.name collate "C") as variable_names,
  coalesce((
    select jsonb_agg(jsonb_build_object('application_uuid', applications.application_uuid,
      'name', applications.name, 'subdomain', subdomain) order by applications.application_uuid)
    from linked_variable_groups join applications using (application_uuid)
    join environments on environments.application_uuid = applications.application_uuid
      and environments.name = 'production'
    where linked_variable_groups.group_id = variable_groups.group_id), '[]') as applications`;

/** Variable groups of owners, and the applications to which they are linked. */
export class VariableGroupStore {
  readonly #db: Kysely<unknown>;
  readonly #encryption: Encryption;

  constructor(db: Kysely<unknown>, encryption: Encryption) {
    this.#db = db;
    this.#encryption = encryption;
  }

  /** Groups of an owner, by name, without the values of their variables. */
  async list(ownerId: string): Promise<Group[]> {
    const { rows } = await sql<Group>`
      select ${columns} from variable_groups where owner_id = ${ownerId} order by name collate "C"`.execute(
      this.#db,
    );
    return rows;
  }

  async find(ownerId: string, name: string, through = this.#db): Promise<GroupWithVariables | undefined> {
    const { rows } = await sql<Group>`
      select ${columns} from variable_groups
      where owner_id = ${ownerId} and ${isNamed(name)}`.execute(through);
    const [group] = rows;
    if (!group) return undefined;
    return { ...group, variables: await this.#variablesOf(group.group_id, through) };
  }

  /** Creates a group. Throws a 409 if its name is taken or its owner has too many. */
  add(
    ownerId: string,
    { name, variables }: NewGroup,
    now: Temporal.Instant,
    through = this.#db,
  ): Promise<GroupWithVariables> {
    return inTransaction(through, async (transaction) => {
      // The owner's row is locked, so that simultaneous requests can't exceed the limit.
      const { rows: owners } = await sql`
        select from users where account_id = ${ownerId} for no key update`.execute(transaction);
      if (owners.length === 0) throw keyNeededRefusal();
      const { rows } = await sql<{ count: number; is_taken: boolean }>`
        select count(*)::integer as count, coalesce(bool_or(name = ${name}), false) as is_taken
        from variable_groups where owner_id = ${ownerId}`.execute(transaction);
      if (rows[0]?.is_taken) throw nameTaken();
      if ((rows[0]?.count ?? 0) >= MOST_GROUPS)
        throw new Refusal(409, 'too_many_groups', messages.tooMany(MOST_GROUPS));
      const id = newId();
      await insertInto('variable_groups', {
        group_id: id,
        owner_id: ownerId,
        name,
        created_at: now,
        last_updated: now,
      }).execute(transaction);
      await this.#changeVariables(id, variables, transaction);
      return this.#findStored(ownerId, id, transaction);
    });
  }

  /**
   * Changes a group's name and variables; undefined if it does not exist. Applications to which it is linked are
   * changed too, since their sites run with earlier variables.
   */
  change(
    ownerId: string,
    name: string,
    { variables, ...changes }: GroupChanges,
    now: Temporal.Instant,
    onChanged: OnChanged,
  ): Promise<GroupWithVariables | undefined> {
    return this.#db
      .transaction()
      .execute(async (transaction) => {
        const id = await this.#lock(ownerId, name, transaction);
        if (id === undefined) return undefined;
        const former = (await this.#variablesOf(id, transaction)).map((variable) => variable.name);
        await sql`
          update variable_groups set ${assignColumns({ ...changes, last_updated: now })}
          where group_id = ${id}`.execute(transaction);
        if (variables) {
          await this.#changeVariables(id, variables, transaction);
          const linked = await linkedApplications(transaction, id);
          await noteChange(transaction, linked, now);
          await onChanged(transaction, linked, former);
        }
        return this.#findStored(ownerId, id, transaction);
      })
      .catch(nameConflict);
  }

  /** Deletes a group; false if it does not exist. */
  remove(ownerId: string, name: string, now: Temporal.Instant, onChanged: OnChanged): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const id = await this.#lock(ownerId, name, transaction);
      if (id === undefined) return false;
      const linked = await linkedApplications(transaction, id);
      await noteChange(transaction, linked, now);
      await onChanged(transaction, linked, []);
      await sql`delete from variable_groups where group_id = ${id}`.execute(transaction);
      return true;
    });
  }

  /**
   * Links a group to an application, over the groups that are linked already. A link that exists stays as it is. False
   * if there is no such group; throws a 409 if the application has too many.
   */
  link(
    { application_uuid: uuid, owner_id: ownerId }: Application,
    name: string,
    now: Temporal.Instant,
    through: Kysely<unknown>,
  ): Promise<boolean> {
    return inTransaction(through, async (transaction) => {
      const id = await this.#lock(ownerId, name, transaction);
      if (id === undefined) return false;
      // Locking the application's row keeps simultaneous requests within the limit.
      await sql`select from applications where application_uuid = ${uuid} for no key update`.execute(
        transaction,
      );
      const { rows } = await sql<{ group_id: string; position: number }>`
        select group_id, position from linked_variable_groups where application_uuid = ${uuid}`.execute(
        transaction,
      );
      if (rows.some(({ group_id }) => group_id === id)) return true;
      if (rows.length >= MOST_LINKED)
        throw new Refusal(409, 'too_many_groups', messages.tooManyLinked(MOST_LINKED));
      const position = Math.max(0, ...rows.map((row) => row.position)) + 1;
      const { numAffectedRows = 0n } = await sql`
        insert into linked_variable_groups (application_uuid, group_id, position)
        select application_uuid, ${id}, ${position} from applications
        where application_uuid = ${uuid}`.execute(transaction);
      await noteChange(transaction, [uuid], now);
      return numAffectedRows > 0n;
    });
  }

  /** Unlinks a group from an application; false if it is not linked. */
  unlink(uuid: string, name: string, now: Temporal.Instant, through: Kysely<unknown>): Promise<boolean> {
    return inTransaction(through, async (transaction) => {
      await sql`select from applications where application_uuid = ${uuid} for no key update`.execute(
        transaction,
      );
      const { numAffectedRows = 0n } = await sql`
        delete from linked_variable_groups where application_uuid = ${uuid}
          and group_id in (select group_id from variable_groups where ${isNamed(name)})`.execute(transaction);
      if (numAffectedRows === 0n) return false;
      await noteChange(transaction, [uuid], now);
      return true;
    });
  }

  /** Id of a group, whose row stays locked until the transaction's end; undefined if there is none. */
  async #lock(ownerId: string, name: string, transaction: Kysely<unknown>): Promise<string | undefined> {
    const { rows } = await sql<{ group_id: string }>`
      select group_id from variable_groups where owner_id = ${ownerId} and ${isNamed(name)}
      for update`.execute(transaction);
    return rows[0]?.group_id;
  }

  #variablesOf(id: string, through: Kysely<unknown>): Promise<VariableDefinition[]> {
    return readDefinitions(through, this.#encryption, { kind: 'group', id });
  }

  async #changeVariables(
    id: string,
    changes: DefinitionChanges,
    transaction: Kysely<unknown>,
  ): Promise<void> {
    const all = withChanges(await this.#variablesOf(id, transaction), changes, MOST_GROUP_VARIABLES);
    const parent = { kind: 'group', id } as const;
    await writeDefinitions(transaction, this.#encryption, parent, all, Object.keys(changes));
  }

  async #findStored(ownerId: string, id: string, transaction: Kysely<unknown>): Promise<GroupWithVariables> {
    const group = await this.find(ownerId, id, transaction);
    if (!group) throw new Error('a stored group is not there');
    return group;
  }
}

/** SQL condition for the group that a request names, by its name or its id. */
function isNamed(name: string): RawBuilder<unknown> {
  const text = toStorableText(name);
  return sql`(variable_groups.name = ${text} or variable_groups.group_id::text = lower(${text}))`;
}

/**
 * Applications to which a group is linked, whose rows stay locked until the transaction's end. The order of the locks
 * is always the same, so that two groups that are changed at once don't wait for each other.
 */
async function linkedApplications(transaction: Kysely<unknown>, groupId: string): Promise<string[]> {
  const { rows } = await sql<{ application_uuid: string }>`
    select application_uuid from applications
    where application_uuid in (select application_uuid from linked_variable_groups where group_id = ${groupId})
    order by application_uuid for no key update`.execute(transaction);
  return rows.map(({ application_uuid }) => application_uuid);
}

/** Notes that the variables of applications changed, so that their sites count as running with earlier ones. */
async function noteChange(
  transaction: Kysely<unknown>,
  applicationIds: readonly string[],
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update applications set last_updated = ${toParameter(now)}
    where application_uuid = any(${applicationIds}::uuid[])`.execute(transaction);
}

function nameTaken(): Refusal {
  return new Refusal(409, 'name_taken', messages.nameTaken);
}

function nameConflict(error: unknown): never {
  throw (error as { constraint?: string }).constraint === 'variable_groups_name' ? nameTaken() : error;
}
