import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Encryption } from '../../kernel/encryption.ts';
import { PRODUCTION } from '../model/environments.ts';
import type { EnvironmentVariables, VariableChanges } from './environment.ts';
import { secretContexts } from './secrets.ts';

/** Own variables of an environment, decrypted, ordered by name. */
export function readOwnVariables(
  db: Kysely<unknown>,
  encryption: Encryption,
  environmentId: string,
): Promise<EnvironmentVariables> {
  return readVariables(db, encryption, sql`environment_id = ${environmentId}`);
}

/** Names of an environment's own variables, in alphabetical order. */
export async function readVariableNames(db: Kysely<unknown>, environmentId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from environment_variables
    where environment_id = ${environmentId} order by name collate "C"`.execute(db);
  return rows.map(({ name }) => name);
}

/** Effective variables of a site, decrypted, ordered by name; a preview's own override production's. */
export function readVariablesInForce(
  db: Kysely<unknown>,
  encryption: Encryption,
  environmentId: string,
): Promise<EnvironmentVariables> {
  return readVariables(
    db,
    encryption,
    sql`environment_id = ${environmentId} or environment_id = (
      select beneath.environment_id from previews
      join environments beneath on beneath.application_uuid = previews.application_uuid and beneath.name = ${PRODUCTION}
      where previews.environment_id = ${environmentId})`,
    environmentId,
  );
}

/**
 * Reads environment variables. If several environments have a variable of the same name, the value in the environment
 * `over` is used.
 */
async function readVariables(
  db: Kysely<unknown>,
  encryption: Encryption,
  condition: RawBuilder<unknown>,
  over: string | null = null,
): Promise<EnvironmentVariables> {
  const { rows } = await sql<{ environment_id: string; name: string; value_sealed: string }>`
    select distinct on (name collate "C") environment_id, name, value_sealed from environment_variables
    where ${condition} order by name collate "C", environment_id is not distinct from ${over}::uuid desc`.execute(
    db,
  );
  return Object.fromEntries(
    rows.map(({ environment_id, name, value_sealed }) => [
      name,
      encryption.open(value_sealed, secretContexts.variable(environment_id, name)),
    ]),
  );
}

/** Stores changed environment variables, and deletes those whose new value is null. */
export async function writeVariables(
  transaction: Kysely<unknown>,
  encryption: Encryption,
  environmentId: string,
  changes: VariableChanges,
): Promise<void> {
  const set = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
  const gone = Object.keys(changes).filter((name) => changes[name] === null);
  if (gone.length > 0) {
    await sql`
      delete from environment_variables
      where environment_id = ${environmentId} and name = any(${gone}::text[])`.execute(transaction);
  }
  if (set.length > 0) {
    const names = set.map(([name]) => name);
    const values = set.map(([name, value]) =>
      encryption.seal(value, secretContexts.variable(environmentId, name)),
    );
    await sql`
      insert into environment_variables (environment_id, name, value_sealed)
      select ${environmentId}, name, value from unnest(${names}::text[], ${values}::text[]) as given (name, value)
      on conflict (environment_id, name) do update set value_sealed = excluded.value_sealed`.execute(
      transaction,
    );
  }
}
