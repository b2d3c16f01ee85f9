import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { noParameters } from '../../kernel/http/resource.ts';
import { dateTimeOrNullSchema, schemaRef, textOrNullSchema, uuidSchema } from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam } from '../applications/contract.ts';
import { ruleFields } from './fields.ts';

// Schemas of the routes of an application's rules, for validation, serialization, the API reference and types.

const { redirects, headers, maintenance, protection } = outputFields(ruleFields);

export const SiteRules = Type.Object(
  {
    application_uuid: uuidSchema(),
    redirects,
    headers,
    maintenance,
    protection,
    username: textOrNullSchema(),
    has_password: Type.Boolean(),
    changed_at: dateTimeOrNullSchema(),
  },
  {
    $id: 'SiteRules',
    examples: [
      {
        application_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
        redirects: '/menu /dinner 302',
        headers: '/*\n  X-Frame-Options: DENY',
        maintenance: 'off',
        protection: 'previews',
        username: 'guest',
        has_password: true,
        changed_at: '2026-11-21T08:00:00.000Z',
      },
    ],
  },
);
export type SiteRules = Static<typeof SiteRules>;

export const sharedSchemas = [SiteRules];

const rules = developerRoutes.resource({
  tags: ['applications'],
  called: 'rules',
  within: noParameters,
  params: applicationParam,
  record: SiteRules,
  errors: applicationErrors,
  shown: (description) => schemaRef(SiteRules, description),
});

export const readSchema = rules.read({ operationId: 'readRules', summary: 'Read an application’s rules' });

export const changeSchema = rules.change(
  {
    operationId: 'updateRules',
    summary: 'Change an application’s rules',
    description:
      'Redirects, headers, a password and a maintenance page, which the gateway applies before the site. Absent fields stay. The change takes effect at once.',
  },
  Type.Object(inputFields(ruleFields), {
    additionalProperties: false,
    examples: [{ protection: 'previews', username: 'guest', password: 'long-enough' }],
  }),
);
