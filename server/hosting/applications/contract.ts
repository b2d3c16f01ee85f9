import { type Static, Type } from 'typebox';
import { apiErrors, keyedErrors, keyHeader, ofBody } from '../../identity/contract.ts';
import { codes, type Errors } from '../../kernel/http/error-answers.ts';
import { dateTime, dateTimeOrNull, oneOf, ref, textOrNull, uuid } from '../../kernel/http/shapes.ts';
import { LARGEST_VALUE, MOST_VARIABLES } from './environment.ts';
import { DEFAULT_BRANCH, DEFAULT_HEALTH_PATH, LENGTHS } from './input.ts';
import { STATUSES } from './store.ts';

/** The shapes of the application API: one schema each serializes, documents and types. */

const fields = {
  name: Type.String({ minLength: 1, maxLength: LENGTHS.name }),
  subdomain: Type.String({ maxLength: 63, description: 'A DNS label; one of a kind.' }),
  repository: Type.String({ description: 'The address of a git repository, by https or ssh.' }),
  branch: Type.String({ maxLength: LENGTHS.branch, default: DEFAULT_BRANCH }),
  root: textOrNull({
    maxLength: LENGTHS.root,
    description: 'A folder inside the repository; null for the repository itself.',
  }),
  build: textOrNull({ maxLength: LENGTHS.command, description: 'Replaces the build command that is found.' }),
  start: textOrNull({ maxLength: LENGTHS.command, description: 'Replaces the start command that is found.' }),
  health_path: Type.String({
    maxLength: LENGTHS.health_path,
    default: DEFAULT_HEALTH_PATH,
    description: 'Must answer with a status under 500 before a version takes traffic.',
  }),
};

const example = {
  application_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  name: 'Noa & Itai',
  domain: 'http://noa-itai.localhost:3000',
  subdomain: 'noa-itai',
  repository: 'https://github.com/noa/wedding.git',
  branch: 'main',
  root: null,
  build: null,
  start: null,
  health_path: '/',
  status: 'created',
  deploy_key: null,
  created_at: '2026-11-21T08:00:00.000Z',
  last_updated: '2026-11-21T08:00:00.000Z',
  deployed_at: null,
};

export const ApplicationRecord = Type.Object(
  {
    application_uuid: uuid(),
    name: fields.name,
    domain: Type.String({ description: 'The full address of the site.' }),
    subdomain: fields.subdomain,
    repository: Type.String({ description: 'Without the password or token it may have been given with.' }),
    branch: fields.branch,
    root: fields.root,
    build: fields.build,
    start: fields.start,
    health_path: fields.health_path,
    status: oneOf(STATUSES),
    deploy_key: textOrNull({ description: 'The public half; give it to the repository’s host.' }),
    created_at: dateTime(),
    last_updated: dateTime(),
    deployed_at: dateTimeOrNull('When the live version came up.'),
  },
  { $id: 'Application', examples: [example] },
);
export type ApplicationRecord = Static<typeof ApplicationRecord>;

export const sharedSchemas = [ApplicationRecord];

const nullable = <T>(schema: T) => Type.Optional(Type.Union([schema as never, Type.Null()]));
const optionalFields = {
  branch: nullable(fields.branch),
  root: Type.Optional(fields.root),
  build: Type.Optional(fields.build),
  start: Type.Optional(fields.start),
  health_path: nullable(fields.health_path),
};

const common = { tags: ['applications'], security: [{ apiKey: [] }, { organizer: [] }] };
const params = Type.Object({ uuid: Type.String({ description: 'The application’s UUID.' }) });
const TAKEN = 'subdomain_taken';

/** What every route about one application can answer; for the areas that add routes to it, too. */
export const applicationErrors: Errors = { 401: true, 403: true, 404: true };

export const createSchema = {
  ...common,
  operationId: 'createApplication',
  summary: 'Create an application',
  description: 'Deploying it is another call. Left out, the subdomain is made from the name.',
  headers: keyHeader,
  body: Type.Object(
    {
      name: fields.name,
      repository: fields.repository,
      subdomain: nullable(fields.subdomain),
      ...optionalFields,
    },
    { examples: [{ name: example.name, repository: example.repository, subdomain: example.subdomain }] },
  ),
  response: {
    201: ref(ApplicationRecord, 'The application as stored.'),
  },
  errors: keyedErrors({ ...ofBody, 401: true, 403: codes('too_many_applications') }, TAKEN),
};

export const listSchema = {
  ...common,
  operationId: 'listApplications',
  summary: 'List one’s applications',
  description: 'Newest first. What is not a positive integer takes its default.',
  querystring: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 20, description: 'Cut at 1000.' }),
    ),
  }),
  response: {
    200: Type.Object(
      {
        applications: Type.Array(ref(ApplicationRecord)),
        total: Type.Integer({ description: 'How many there are in all.' }),
        page: Type.Integer(),
        limit: Type.Integer(),
      },
      { description: 'A page of applications.' },
    ),
  },
  errors: apiErrors({ 401: true }),
};

export const readSchema = {
  ...common,
  operationId: 'readApplication',
  summary: 'Read an application',
  params,
  response: { 200: ref(ApplicationRecord, 'The application.') },
  errors: apiErrors(applicationErrors),
};

export const changeSchema = {
  ...common,
  operationId: 'updateApplication',
  summary: 'Change an application',
  description:
    'Absent fields stay; null puts an optional one back to its default. The site follows with its next deployment.',
  params,
  body: Type.Object(
    {
      name: Type.Optional(fields.name),
      repository: Type.Optional(fields.repository),
      subdomain: Type.Optional(fields.subdomain),
      ...optionalFields,
    },
    { examples: [{ branch: 'release', build: 'npm run build' }] },
  ),
  response: {
    200: ref(ApplicationRecord, 'The application after the change.'),
  },
  errors: apiErrors({ ...ofBody, ...applicationErrors, 409: codes(TAKEN) }),
};

export const removeSchema = {
  ...common,
  operationId: 'deleteApplication',
  summary: 'Delete an application',
  description: 'Its site and files go with it.',
  params,
  response: { 204: Type.Null({ description: 'Deleted.' }) },
  errors: apiErrors(applicationErrors),
};

const Variables = Type.Record(Type.String(), Type.String(), { description: 'All variables, by name.' });
const Environment = Type.Object(
  { application_uuid: uuid(), env: Variables, last_updated: dateTime() },
  {
    description: 'All variables after the change.',
    examples: [
      {
        application_uuid: example.application_uuid,
        env: { GREETING: 'שלום' },
        last_updated: example.last_updated,
      },
    ],
  },
);

export const readEnvironmentSchema = {
  ...common,
  operationId: 'readEnvironment',
  summary: 'Read the environment variables',
  params,
  response: { 200: Environment },
  errors: apiErrors(applicationErrors),
};

export const changeEnvironmentSchema = {
  ...common,
  operationId: 'updateEnvironment',
  summary: 'Change environment variables',
  description:
    `A flat object of names to texts; null deletes, others stay. At most ${MOST_VARIABLES} variables of ${LARGEST_VALUE / 1024} KiB each. ` +
    'The site has them from its next deployment or restart on.',
  params,
  body: Type.Record(
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
    Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    { examples: [{ GREETING: 'שלום', OLD_NAME: null }] },
  ),
  response: {
    200: Environment,
  },
  errors: apiErrors({ ...ofBody, ...applicationErrors }),
};

export const deployKeySchema = {
  ...common,
  operationId: 'createDeployKey',
  summary: 'Make a deploy key',
  description:
    'A new ed25519 pair in place of the one before. Add the public half to the repository, to read it.',
  params,
  headers: keyHeader,
  response: {
    201: Type.Object(
      {
        application_uuid: uuid(),
        deploy_key: Type.String({ description: 'The public half, as OpenSSH writes it.' }),
      },
      { description: 'The public half of the new pair.' },
    ),
  },
  errors: keyedErrors(applicationErrors),
};

const HookAddress = Type.Object(
  {
    application_uuid: uuid(),
    url: Type.String({ description: 'Where the repository’s host should deliver pushes.' }),
    secret: Type.String({ description: 'The secret of the webhook.' }),
  },
  { description: 'What to enter at GitHub, GitLab, Gitea or Forgejo; content type application/json.' },
);

export const readHookSchema = {
  ...common,
  operationId: 'readHook',
  summary: 'Read the push hook',
  params,
  response: { 200: HookAddress },
  errors: apiErrors(applicationErrors),
};

export const renewHookSchema = {
  ...common,
  operationId: 'renewHook',
  summary: 'Renew the secret of the push hook',
  params,
  headers: keyHeader,
  response: { 201: HookAddress },
  errors: keyedErrors(applicationErrors),
};

export const deliverySchema = {
  tags: ['applications'],
  security: [],
  operationId: 'deliverPush',
  summary: 'A push to the repository',
  description:
    'For the repository’s host: signed by `X-Hub-Signature-256` (GitHub), `X-Gitea-Signature`, `X-Forgejo-Signature` or `X-Gitlab-Token`. ' +
    'A push to the application’s branch deploys it; any other delivery is taken and ignored.',
  params,
  response: {
    202: Type.Object(
      { status: Type.Union([Type.Literal('deploying'), Type.Literal('ignored')]) },
      { description: 'Taken.' },
    ),
  },
  errors: apiErrors({
    400: codes('malformed_json'),
    401: codes('unsigned'),
    403: codes('unverified'),
    404: true,
    413: true,
  }),
};
