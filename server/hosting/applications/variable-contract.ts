import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { outputFields } from '../../kernel/http/field-schemas.ts';
import { noParameters } from '../../kernel/http/resource.ts';
import {
  dateTimeSchema,
  enumSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { VARIABLE_SCOPES } from '../model/variables.ts';
import { applicationErrors, applicationParam, withPreviewQuery } from './contract.ts';
import { MOST_VARIABLES } from './environment.ts';
import { definitionChangesSchema, definitionFields } from './variable-definitions.ts';
import { VALUE_ORIGINS } from './variable-layers.ts';

// Schemas of the variables of an application with their scopes and origins.

export const VariableDefinition = Type.Object(outputFields(definitionFields), {
  $id: 'VariableDefinition',
  examples: [{ value: 's3cret', preview_value: null, scope: 'build', in_previews: true }],
});

const GivenValue = Type.Object(
  {
    value: Type.String(),
    from: enumSchema(VALUE_ORIGINS, {
      description: 'Where it was set. `…_previews`: as the value for previews.',
    }),
    group: textOrNullSchema({ description: 'The linked group that sets it.' }),
  },
  { $id: 'GivenValue', examples: [{ value: 's3cret', from: 'application', group: null }] },
);

const given = (description: string) => Type.Union([schemaRef(GivenValue), Type.Null()], { description });

const SiteVariable = Type.Object(
  {
    name: Type.String(),
    scope: enumSchema(VARIABLE_SCOPES),
    production: given('What production gets; null: nothing.'),
    previews: given('What previews get, or the named preview; null: nothing.'),
    own: Type.Union([schemaRef(VariableDefinition), Type.Null()], {
      description: 'As the application itself sets it.',
    }),
  },
  {
    $id: 'SiteVariable',
    examples: [
      {
        name: 'NPM_TOKEN',
        scope: 'build',
        production: { value: 's3cret', from: 'application', group: null },
        previews: null,
        own: { value: 's3cret', preview_value: null, scope: 'build', in_previews: false },
      },
    ],
  },
);

export const SiteVariables = Type.Object(
  {
    application_uuid: uuidSchema(),
    groups: Type.Array(Type.String(), { description: 'Linked groups; the first one overrides the others.' }),
    variables: Type.Array(schemaRef(SiteVariable)),
    last_updated: dateTimeSchema(),
  },
  {
    $id: 'SiteVariables',
    examples: [
      {
        application_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
        groups: ['shared'],
        variables: [],
        last_updated: '2026-11-21T08:00:00.000Z',
      },
    ],
  },
);
export type SiteVariables = Static<typeof SiteVariables>;

export const variableSchemas = [VariableDefinition, GivenValue, SiteVariable, SiteVariables];

const variables = developerRoutes.resource({
  tags: ['applications'],
  called: 'variables',
  within: noParameters,
  params: applicationParam,
  record: SiteVariables,
  errors: applicationErrors,
  shown: (description) => schemaRef(SiteVariables, description),
});

export const readVariablesSchema = withPreviewQuery(
  variables.read({
    operationId: 'readVariables',
    summary: 'Read variables with their scopes and origins',
    description: 'All variables that the sites of the application get, by name.',
  }),
);

export const changeVariablesSchema = variables.change(
  {
    operationId: 'updateVariables',
    summary: 'Change variables with their scopes',
    description:
      'By name; null deletes a variable, and absent variables and fields stay. The limits of `/env` apply.',
  },
  Type.Unsafe<Record<string, unknown>>({
    ...definitionChangesSchema(MOST_VARIABLES),
    examples: [{ NPM_TOKEN: { value: 's3cret', scope: 'build' }, OLD_NAME: null }],
  }),
);
