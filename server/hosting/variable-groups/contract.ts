import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf, inputFields } from '../../kernel/http/field-schemas.ts';
import { listAnswer, noParameters } from '../../kernel/http/resource.ts';
import { dateTimeSchema, schemaRef, uuidSchema } from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam } from '../applications/contract.ts';
import { SiteVariables, VariableDefinition } from '../applications/variable-contract.ts';
import { changedFields, groupFields } from './fields.ts';

// Schemas of the routes of variable groups, for serialization, documentation and types.

const example = {
  group_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a45',
  name: 'shared',
  applications: [
    { application_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44', name: 'Noa & Itai', subdomain: 'noa-itai' },
  ],
  created_at: '2026-11-21T08:00:00.000Z',
  last_updated: '2026-11-21T08:00:00.000Z',
};
const exampleVariables = {
  NPM_TOKEN: { value: 's3cret', preview_value: null, scope: 'build', in_previews: true },
};

const common = {
  group_id: uuidSchema(),
  name: Type.String(),
  applications: Type.Array(
    Type.Object(
      { application_uuid: uuidSchema(), name: Type.String(), subdomain: Type.String() },
      { title: 'LinkedApplication' },
    ),
    { description: 'Applications to which it is linked.' },
  ),
  created_at: dateTimeSchema(),
  last_updated: dateTimeSchema(),
};

const ListedVariableGroup = Type.Object(
  { ...common, variable_names: Type.Array(Type.String()) },
  { $id: 'ListedVariableGroup', examples: [{ ...example, variable_names: ['NPM_TOKEN'] }] },
);
export type ListedVariableGroup = Static<typeof ListedVariableGroup>;

const VariableGroup = Type.Object(
  { ...common, variables: Type.Record(Type.String(), schemaRef(VariableDefinition)) },
  { $id: 'VariableGroup', examples: [{ ...example, variables: exampleVariables }] },
);
export type VariableGroup = Static<typeof VariableGroup>;

export const sharedSchemas = [ListedVariableGroup, VariableGroup];

const tags = ['applications'];
const groups = developerRoutes.resource({
  tags,
  called: 'group',
  within: noParameters,
  params: Type.Object({ group: Type.String({ description: 'Name or id.' }) }),
  record: VariableGroup,
  errors: {},
  shown: (description) => schemaRef(VariableGroup, description),
});

export const listSchema = developerRoutes.get({
  tags,
  operationId: 'listVariableGroups',
  summary: 'List your variable groups',
  response: { 200: listAnswer(ListedVariableGroup, 'variable_groups', 'By name, without values.') },
});

export const createSchema = groups.create(
  {
    operationId: 'createVariableGroup',
    summary: 'Create a variable group',
    description: 'Variables that several applications share.',
    errors: { 409: listCodes('name_taken', 'too_many_groups', 'key_running') },
  },
  bodyOf(groupFields, {
    additionalProperties: false,
    examples: [{ name: 'shared', variables: { NPM_TOKEN: { value: 's3cret', scope: 'build' } } }],
  }),
);

export const readSchema = groups.read({
  operationId: 'readVariableGroup',
  summary: 'Read a variable group',
  errors: { 404: true },
});

export const changeSchema = groups.change(
  {
    operationId: 'updateVariableGroup',
    summary: 'Change a variable group',
    description: 'Sites get the change with their next deployment or restart. Absent fields stay.',
    errors: { 404: true, 409: listCodes('name_taken') },
  },
  Type.Object(inputFields(changedFields), {
    additionalProperties: false,
    examples: [{ variables: { NPM_TOKEN: { value: 's3cret' }, OLD_NAME: null } }],
  }),
);

export const removeSchema = groups.remove({
  operationId: 'deleteVariableGroup',
  summary: 'Delete a variable group',
  errors: { 404: true },
});

const link = {
  tags,
  params: Type.Object({ ...applicationParam.properties, group: Type.String() }),
};

export const linkSchema = developerRoutes.put({
  ...link,
  operationId: 'linkVariableGroup',
  summary: 'Link a variable group to an application',
  description: 'The group that was linked last overrides earlier ones; own variables override all.',
  errors: { ...applicationErrors, 409: listCodes('too_many_groups') },
  response: { 200: schemaRef(SiteVariables, 'The variables of the application.') },
});

export const unlinkSchema = developerRoutes.remove({
  ...link,
  operationId: 'unlinkVariableGroup',
  summary: 'Unlink a variable group from an application',
  errors: applicationErrors,
  response: { 204: Type.Null({ description: 'Unlinked.' }) },
});
