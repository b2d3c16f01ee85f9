import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { type Errors, listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf, inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { noParameters, type QuerySchema } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  dateTimeSchema,
  enumSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { ROLES } from '../model/people.ts';
import { RESERVED_VARIABLES } from '../sandbox/confined.ts';
import { LARGEST_VALUE, MOST_VARIABLES, variableChanges } from './environment.ts';
import { ANY_POLICY, applicationFields, changedFields } from './fields.ts';
import { APPLICATION_STATUSES } from './store.ts';

/** Schemas of the application API, for serialization, documentation and types. */

const example = {
  application_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  name: 'Noa & Itai',
  domain: 'http://noa-itai.localhost:3000',
  subdomain: 'noa-itai',
  source: 'repository',
  repository: 'https://github.com/noa/wedding.git',
  image: null,
  registry_user: null,
  branch: null,
  root: null,
  type: null,
  install: null,
  build: null,
  start: null,
  publish: null,
  node: null,
  spa: null,
  port: null,
  health_path: '/',
  sticky: false,
  time_zone: 'Asia/Jerusalem',
  watch_paths: null,
  response_seconds: null,
  max_body_mb: null,
  previews: 'off',
  status: 'created',
  role: 'owner',
  owner: 'noa@example.com',
  deploy_key: null,
  created_at: '2026-11-21T08:00:00.000Z',
  last_updated: '2026-11-21T08:00:00.000Z',
  deployed_at: null,
};

/** Maximum length of one label of a host name (the text between two dots), in characters. */
const LONGEST_PREVIEW = 63;

const {
  name,
  subdomain,
  source,
  repository: _,
  image: _image,
  registry_password: _password,
  ...setup
} = outputFields(changedFields(ANY_POLICY));

export const ApplicationRecord = Type.Object(
  {
    application_uuid: uuidSchema(),
    name,
    domain: Type.String({ description: 'The full address of the site.' }),
    subdomain,
    source,
    repository: textOrNullSchema({
      description: 'Without the password or token of the original address; null for another source.',
    }),
    image: textOrNullSchema({ description: 'The image’s full name; null for another source.' }),
    ...setup,
    status: enumSchema(APPLICATION_STATUSES),
    role: enumSchema(ROLES, { description: 'Your own role.' }),
    owner: Type.String({ description: 'Mail address of the owner.' }),
    deploy_key: textOrNullSchema({ description: 'The public key; add it at the repository’s host.' }),
    created_at: dateTimeSchema(),
    last_updated: dateTimeSchema(),
    deployed_at: dateTimeOrNullSchema('When the live version came up.'),
  },
  { $id: 'Application', examples: [example] },
);
export type ApplicationRecord = Static<typeof ApplicationRecord>;

const tags = ['applications'];
export const applicationParam = Type.Object({
  uuid: Type.String({
    description: 'UUID, subdomain or name.',
  }),
});

/** Query of routes about a site: the name of a preview, or nothing for production. */
export const previewQuery = {
  preview: fieldTypes.withDescription(
    queryTypes.text(LONGEST_PREVIEW),
    'Name of a preview; absent: production.',
  ),
};

/** Adds the query `preview` to a route about an application's site. */
export function withPreviewQuery<S extends object>(schema: S): S {
  const { querystring } = schema as { querystring?: QuerySchema };
  const properties = { ...querystring?.properties, preview: previewQuery.preview.schema };
  return {
    ...schema,
    querystring: { type: 'object', additionalProperties: false, ...querystring, properties },
  };
}

/** Error answers that every route about one application may give. */
export const applicationErrors: Errors = { 403: true, 404: true };

const applications = developerRoutes.resource({
  tags,
  called: 'application',
  within: noParameters,
  params: applicationParam,
  record: ApplicationRecord,
  errors: {},
  shown: (description) => schemaRef(ApplicationRecord, description),
});
const TAKEN = { 409: listCodes('subdomain_taken') };

export const createSchema = applications.create(
  {
    operationId: 'createApplication',
    summary: 'Create an application',
    description: 'The application is not deployed yet. Without `subdomain`, one is made from the name.',
    errors: {
      403: listCodes('too_many_applications'),
      409: listCodes('subdomain_taken', 'over_budget', 'key_running'),
    },
  },
  bodyOf(applicationFields(ANY_POLICY), {
    additionalProperties: false,
    examples: [{ name: example.name, repository: example.repository, subdomain: example.subdomain }],
  }),
);

export const listSchema = applications.page(
  {
    operationId: 'listApplications',
    summary: 'List your applications',
    description:
      'Those shared with you too. Newest first. A `page` or `limit` that is not a positive integer takes its default.',
  },
  'applications',
);

export const readSchema = applications.read({
  operationId: 'readApplication',
  summary: 'Read an application',
  errors: applicationErrors,
});

export const changeSchema = applications.change(
  {
    operationId: 'updateApplication',
    summary: 'Change an application',
    description:
      'Absent fields stay; null puts an optional one back to its default. The changes take effect with the next deployment.',
    errors: { ...applicationErrors, ...TAKEN },
  },
  Type.Object(inputFields(changedFields(ANY_POLICY)), {
    additionalProperties: false,
    examples: [{ branch: 'release', build: 'npm run build' }],
  }),
);

export const removeSchema = applications.remove({
  operationId: 'deleteApplication',
  summary: 'Delete an application',
  description: 'Its site and files are deleted too.',
  errors: applicationErrors,
});

const Variables = Type.Record(Type.String(), Type.String(), { description: 'All variables, by name.' });
const Environment = Type.Object(
  { application_uuid: uuidSchema(), env: Variables, last_updated: dateTimeSchema() },
  {
    $id: 'Environment',
    examples: [
      {
        application_uuid: example.application_uuid,
        env: { GREETING: 'שלום' },
        last_updated: example.last_updated,
      },
    ],
  },
);

const environments = developerRoutes.resource({
  tags,
  called: 'variables',
  within: noParameters,
  params: applicationParam,
  record: Environment,
  errors: applicationErrors,
  shown: (description) => schemaRef(Environment, description),
});

export const readEnvironmentSchema = withPreviewQuery(
  environments.read({
    operationId: 'readEnvironment',
    summary: 'Read the environment variables',
    description: 'For a preview: its own variables, which override production’s.',
    answer: 'All variables.',
  }),
);

export const listVariableNamesSchema = withPreviewQuery(
  developerRoutes.get({
    tags,
    operationId: 'listVariableNames',
    summary: 'List the names of the environment variables',
    params: applicationParam,
    errors: applicationErrors,
    response: {
      200: Type.Object(
        { names: Type.Array(Type.String()) },
        { title: 'VariableNames', description: 'In alphabetical order, without the values.' },
      ),
    },
  }),
);

export const changeEnvironmentSchema = withPreviewQuery(
  environments.change(
    {
      operationId: 'updateEnvironment',
      summary: 'Change environment variables',
      description:
        `A flat object of names to texts; null deletes a variable, others stay. At most ${MOST_VARIABLES} variables of ${LARGEST_VALUE / 1024} KiB each; ` +
        `${RESERVED_VARIABLES.join(', ')} are set by the server. As text/plain: a \`.env\` file, with comments, \`export\` and quotes; it deletes nothing. ` +
        'The site gets them with its next deployment or restart. Variables of a preview override production’s.',
      answer: 'All variables after the change.',
    },
    Type.Unsafe({ ...variableChanges, examples: [{ GREETING: 'שלום', OLD_NAME: null }] }),
  ),
);

const about = {
  tags,
  params: applicationParam,
  errors: { ...applicationErrors, 409: listCodes('no_repository', 'key_running') },
};

export const deployKeySchema = developerRoutes.post({
  ...about,
  operationId: 'createDeployKey',
  summary: 'Create a deploy key',
  description: 'Replaces the ed25519 key pair. Add the public key to the repository, with read access.',
  response: {
    201: Type.Object(
      {
        application_uuid: uuidSchema(),
        deploy_key: Type.String({ description: 'The public key in OpenSSH format.' }),
      },
      { title: 'DeployKey', description: 'The public key of the new pair.' },
    ),
  },
});

const HookAddress = Type.Object(
  {
    application_uuid: uuidSchema(),
    url: Type.String({ description: 'The address to which the repository’s host should deliver pushes.' }),
    secret: Type.String({ description: 'The secret of the webhook.' }),
  },
  {
    title: 'PushHook',
    description: 'Settings to enter at GitHub, GitLab, Gitea or Forgejo; either content type works.',
  },
);

export const readHookSchema = developerRoutes.get({
  ...about,
  operationId: 'readHook',
  errors: { ...applicationErrors, 409: listCodes('no_repository') },
  summary: 'Read the push hook',
  response: { 200: HookAddress },
});

export const renewHookSchema = developerRoutes.post({
  ...about,
  operationId: 'renewHook',
  summary: 'Renew the secret of the push hook',
  response: { 201: HookAddress },
});

export const sharedSchemas = [ApplicationRecord, Environment];
