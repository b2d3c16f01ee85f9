import { type TSchema, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { bodyOf } from '../../kernel/http/field-schemas.ts';
import { namedSchema } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  dateTimeSchema,
  enumSchema,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { RESOURCES, type Resource } from '../budgets/budget.ts';
import { budgetFields } from './fields.ts';
import { FINDING_CODES } from './health.ts';

/** Schemas of the operator's routes, for serialization, documentation and types. */

const tags = ['operation'];
const amounts = <S extends TSchema>(schema: S, description?: string) =>
  Type.Object(
    Object.fromEntries(RESOURCES.map((resource) => [resource, schema])) as Record<Resource, S>,
    description === undefined ? {} : { description },
  );
const orNull = () => Type.Union([Type.Integer(), Type.Null()]);

export const readSchema = developerRoutes.get({
  tags,
  operationId: 'readPlatform',
  summary: 'Read the state of the platform',
  description:
    'For addresses in `OPERATORS`: health in sentences, who hosts, the queue, domains, sites by cost.',
  response: {
    200: namedSchema(
      'Platform',
      Type.Object(
        {
          health: Type.Object({
            sentence: Type.String({ description: 'In the language of `Accept-Language`.' }),
            findings: Type.Array(Type.Object({ code: enumSchema(FINDING_CODES), sentence: Type.String() })),
          }),
          disk: Type.Object({ free_bytes: Type.Integer(), size_bytes: Type.Integer() }),
          queue: Type.Array(
            Type.Object({
              deployment_uuid: uuidSchema(),
              subdomain: Type.String(),
              owner: Type.String(),
              status: Type.String(),
              requested_at: dateTimeSchema(),
            }),
          ),
          sites: Type.Array(
            Type.Object({
              environment_id: uuidSchema(),
              application_uuid: uuidSchema(),
              name: Type.String(),
              preview: textOrNullSchema(),
              subdomain: Type.String(),
              owner: Type.String(),
              status: Type.String(),
              memory_bytes: Type.Integer(),
              processor_ms: Type.Integer({ description: 'Of the last 24 hours.' }),
              requests: Type.Integer({ description: 'Of the last 24 hours.' }),
              disk_bytes: Type.Integer(),
            }),
            { description: 'Those that use the most first.' },
          ),
          developers: Type.Array(
            Type.Object({
              account_id: uuidSchema(),
              email: Type.String(),
              used: amounts(Type.Integer()),
              budget: amounts(Type.Integer()),
            }),
          ),
          domains: Type.Array(
            Type.Object({
              hostname: Type.String(),
              subdomain: Type.String(),
              is_proved: Type.Boolean(),
              problem: textOrNullSchema(),
              certificate_asked_at: dateTimeOrNullSchema(),
            }),
          ),
        },
        { description: 'The state of the platform.' },
      ),
    ),
  },
  errors: { 403: true },
});

export const stopSchema = developerRoutes.post({
  tags,
  operationId: 'stopAnySite',
  summary: 'Stop any site',
  description: 'Its owner can start it again, unless their budget no longer allows it.',
  params: Type.Object({ environment: Type.String({ description: 'Id of the site’s environment.' }) }),
  response: { 204: Type.Null({ description: 'It is stopped.' }) },
  errors: { 403: true, 404: true, 409: true },
});

export const budgetSchema = developerRoutes.patch({
  tags,
  operationId: 'changeBudget',
  summary: 'Change a developer’s budget',
  description: 'Null: the default from the settings; 0: no limit.',
  params: Type.Object({ account: Type.String({ description: 'Id of the developer’s account.' }) }),
  body: bodyOf(budgetFields, {
    additionalProperties: false,
    title: 'BudgetChanges',
    examples: [{ memory_mb: 4096 }],
  }),
  response: {
    200: namedSchema('OwnLimits', amounts(orNull(), 'The developer’s own limits; null: the default.')),
  },
  errors: { 400: true, 403: true, 404: true },
});
