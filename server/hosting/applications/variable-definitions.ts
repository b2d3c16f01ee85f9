import * as fieldTypes from '../../kernel/field-types.ts';
import { type Fields, fieldsOf, invalidField, refuseUnknown } from '../../kernel/fields.ts';
import { VARIABLE_SCOPES, type VariableScope } from '../model/variables.ts';
import {
  type EnvironmentVariables,
  LARGEST_VALUE,
  propertyNames,
  readByName,
  readVariableValue,
  type VariableChanges,
} from './environment.ts';
import { messages } from './messages.ts';

/** Variable of an application or of a group, as its owner set it. */
export interface VariableDefinition {
  name: string;
  /** Value; null if the definition sets none in production. */
  value: string | null;
  /** Value that all previews of the application get instead; null if they get the same. */
  preview_value: string | null;
  /** Scope; null: that of the variable it overrides, or `all`. */
  scope: VariableScope | null;
  /** Whether previews get the variable. */
  in_previews: boolean;
}

/** Environment or group to which variables belong. */
export interface VariableParent {
  kind: 'environment' | 'group';
  id: string;
}

/** Changes of definitions, by name; null deletes one. */
export type DefinitionChanges = Record<string, Partial<Omit<VariableDefinition, 'name'>> | null>;

const BLANK: Omit<VariableDefinition, 'name'> = {
  value: null,
  preview_value: null,
  scope: null,
  in_previews: true,
};

/** Type of a field with the value of a variable. An empty text is a value too. */
const valueOrNull = (description: string): fieldTypes.FieldType<string | null> => ({
  read: (field, value) => (value === null ? null : readVariableValue(field, value)),
  schema: { type: ['string', 'null'], maxLength: LARGEST_VALUE, description },
});

export const definitionFields = {
  value: { type: valueOrNull('Null: none, or that of a linked group.') },
  preview_value: { type: valueOrNull('What previews get instead; null: the same.') },
  scope: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.oneOf(VARIABLE_SCOPES)),
      'Who gets it: builds, the running site, or both. Null: as in a linked group, or `all`.',
    ),
  },
  in_previews: { type: fieldTypes.withDescription(fieldTypes.yesOrNo(), 'False: previews do not get it.') },
} as const satisfies fieldTypes.FieldTable;

/** JSON Schema for changes of definitions in a request body. */
export function definitionChangesSchema(most: number): Readonly<Record<string, unknown>> {
  const properties = Object.entries(definitionFields).map(([name, { type }]) => [name, type.schema]);
  return {
    type: 'object',
    maxProperties: 2 * most,
    propertyNames,
    additionalProperties: {
      title: 'VariableChange',
      type: ['object', 'null'],
      additionalProperties: false,
      properties: Object.fromEntries(properties),
    },
  };
}

/** Field type for changes of definitions, of which `most` may be stored. Absent fields of a definition stay. */
export function definitionChanges(most: number): fieldTypes.FieldType<DefinitionChanges> {
  return {
    read: (field, value) => readByName(field, fieldsOf(value, field), { stored: most }, readDefinition),
    schema: definitionChangesSchema(most),
  };
}

function readDefinition(name: string, value: unknown): DefinitionChanges[string] {
  if (value === null) return null;
  const fields: Fields = fieldsOf(value, name);
  refuseUnknown(Object.keys(definitionFields), fields, `${name}.`);
  const given = Object.entries(definitionFields).filter(([field]) => fields[field] !== undefined);
  return Object.fromEntries(
    given.map(([field, { type }]) => [field, type.read(`${name}.${field}`, fields[field])]),
  );
}

/** Changes of definitions that set or delete values alone. */
export function valueChanges(changes: VariableChanges): DefinitionChanges {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === null ? null : { value }]),
  );
}

/** Values that definitions set in production, by name. */
export function valuesByName(definitions: readonly VariableDefinition[]): EnvironmentVariables {
  return Object.fromEntries(
    definitions.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])),
  );
}

/**
 * Applies changes to stored definitions, and returns all of them ordered by name. Throws if they are more than `most`,
 * or if a changed one has no effect.
 */
export function withChanges(
  stored: readonly VariableDefinition[],
  changes: DefinitionChanges,
  most: number,
): VariableDefinition[] {
  const all = new Map(stored.map((definition) => [definition.name, definition]));
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) all.delete(name);
    else all.set(name, requireEffect({ ...BLANK, ...all.get(name), name, ...change }));
  }
  if (all.size > most) throw invalidField('body', messages.tooManyVariables(most));
  return [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function requireEffect(definition: VariableDefinition): VariableDefinition {
  const { name, value, preview_value: previewValue, in_previews: inPreviews } = definition;
  if (value === null && previewValue === null && inPreviews)
    throw invalidField(`${name}.value`, messages.valueMissing);
  return definition;
}
