import { type Kysely, sql } from 'kysely';
import type { Encryption } from '../../kernel/encryption.ts';
import { PRODUCTION } from '../model/environments.ts';
import { secretContexts } from './secrets.ts';
import type { VariableDefinition, VariableParent } from './variable-definitions.ts';
import type { VariableLayers } from './variable-layers.ts';

interface VariableRow extends Pick<VariableDefinition, 'name' | 'scope' | 'in_previews'> {
  value_sealed: string | null;
  preview_value_sealed: string | null;
}

const columns = sql`variables.name, value_sealed, preview_value_sealed, scope, in_previews`;

const TABLES = {
  environment: { table: sql.table('environment_variables'), key: sql.ref('environment_id') },
  group: { table: sql.table('group_variables'), key: sql.ref('group_id') },
};

/** Own variables of an environment or group, decrypted, ordered by name. */
export async function readDefinitions(
  db: Kysely<unknown>,
  encryption: Encryption,
  parent: VariableParent,
): Promise<VariableDefinition[]> {
  const { table, key } = TABLES[parent.kind];
  const { rows } = await sql<VariableRow>`
    select ${columns} from ${table} as variables where ${key} = ${parent.id}
    order by variables.name collate "C"`.execute(db);
  return rows.map((row) => opened(encryption, parent, row));
}

/** Names of the variables that an environment sets itself, in alphabetical order. */
export async function readVariableNames(db: Kysely<unknown>, environmentId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from environment_variables
    where environment_id = ${environmentId} and value_sealed is not null order by name collate "C"`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Everything that sets variables of an environment's site, decrypted. */
export async function readLayers(
  db: Kysely<unknown>,
  encryption: Encryption,
  environmentId: string,
): Promise<VariableLayers> {
  type LayerRow = VariableRow & {
    layer: 'application' | 'preview' | 'group';
    parent_id: string;
    group_name: string;
  };
  const { rows } = await sql<LayerRow>`
    with site as (
      select here.environment_id, here.application_uuid, production.environment_id as production_id
      from environments here
      join environments production on production.application_uuid = here.application_uuid
        and production.name = ${PRODUCTION}
      where here.environment_id = ${environmentId})
    select case environment_id when production_id then 'application' else 'preview' end as layer,
      environment_id as parent_id, null as group_name, null as position, ${columns}
    from environment_variables variables join (
      select environment_id, production_id from site union select production_id, production_id from site
    ) parents using (environment_id)
    union all
    select 'group', group_id, variable_groups.name, position, ${columns}
    from site join linked_variable_groups using (application_uuid) join variable_groups using (group_id)
    left join group_variables variables using (group_id)
    order by position desc`.execute(db);
  const open = ({ layer, parent_id: id, ...row }: LayerRow) =>
    opened(encryption, { kind: layer === 'group' ? 'group' : 'environment', id }, row);
  const ofLayer = (layer: LayerRow['layer']) => rows.filter((row) => row.layer === layer);
  const groups = Map.groupBy(ofLayer('group'), (row) => row.group_name);
  return {
    application: ofLayer('application').map(open),
    preview: ofLayer('preview').map(open),
    // A group without variables has one row, in which the variable's columns are null.
    groups: [...groups].map(([name, all]) => ({
      name,
      variables: all.filter((row) => row.name !== null).map(open),
    })),
  };
}

/** Stores the definitions with the names in `changed`, and deletes those that `all` does not have. */
export async function writeDefinitions(
  transaction: Kysely<unknown>,
  encryption: Encryption,
  parent: VariableParent,
  all: readonly VariableDefinition[],
  changed: readonly string[],
): Promise<void> {
  const { table, key } = TABLES[parent.kind];
  const set = all.filter(({ name }) => changed.includes(name));
  const gone = changed.filter((name) => !set.some((one) => one.name === name));
  if (gone.length > 0)
    await sql`delete from ${table} where ${key} = ${parent.id} and name = any(${gone}::text[])`.execute(
      transaction,
    );
  if (set.length === 0) return;
  const rows = JSON.stringify(set.map((definition) => sealed(encryption, parent, definition)));
  await sql`
    insert into ${table} (${key}, name, value_sealed, preview_value_sealed, scope, in_previews)
    select ${parent.id}, ${columns} from jsonb_to_recordset(${rows}::jsonb)
      as variables (name text, value_sealed text, preview_value_sealed text, scope text, in_previews boolean)
    on conflict (${key}, name) do update set value_sealed = excluded.value_sealed,
      preview_value_sealed = excluded.preview_value_sealed, scope = excluded.scope,
      in_previews = excluded.in_previews`.execute(transaction);
}

function opened(encryption: Encryption, parent: VariableParent, row: VariableRow): VariableDefinition {
  const { name, value_sealed: value, preview_value_sealed: previewValue, scope, in_previews } = row;
  const { variable, previewVariable } = secretContexts;
  return {
    name,
    value: value === null ? null : encryption.open(value, variable(parent, name)),
    preview_value:
      previewValue === null ? null : encryption.open(previewValue, previewVariable(parent, name)),
    scope,
    in_previews,
  };
}

function sealed(
  encryption: Encryption,
  parent: VariableParent,
  { name, value, preview_value: previewValue, scope, in_previews }: VariableDefinition,
): VariableRow {
  const { variable, previewVariable } = secretContexts;
  return {
    name,
    value_sealed: value === null ? null : encryption.seal(value, variable(parent, name)),
    preview_value_sealed:
      previewValue === null ? null : encryption.seal(previewValue, previewVariable(parent, name)),
    scope,
    in_previews,
  };
}
