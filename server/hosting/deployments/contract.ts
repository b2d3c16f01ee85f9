import { type Static, type TSchema, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf, inputFields } from '../../kernel/http/field-schemas.ts';
import { type Operation, queryOf } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  dateTimeSchema,
  enumSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam, withPreviewQuery } from '../applications/contract.ts';
import {
  ALSO_BY_ACCEPT,
  colorsQuery,
  eventAnswer,
  followHeaders,
  HIDDEN,
  textAnswer,
} from '../logs/contract.ts';
import { DEPLOYMENT_ACTIONS, DEPLOYMENT_STATUSES, DEPLOYMENT_TRIGGERS } from '../model/lifecycle.ts';
import { REF_TYPES } from '../model/source-ref.ts';
import { Upload } from '../uploads/contract.ts';
import { deployFields, deploymentQuery, promoteFields, rollbackFields, siteLogQuery } from './fields.ts';

/** Schemas of the deployment routes, for serialization, documentation and types. */

const example = {
  deployment_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  application_uuid: '01980a3b-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
  action: 'deploy',
  preview: null,
  status: 'live',
  is_current: true,
  triggered_by: 'push',
  requested_ref: null,
  promoted_from: null,
  promoted_from_application: null,
  release_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  commit_hash: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  commit_message: 'Show the map',
  commit_author: 'Noa',
  upload: null,
  image: null,
  reason: null,
  reason_code: null,
  requested_at: '2026-11-21T08:00:00.000Z',
  ended_at: '2026-11-21T08:00:04.321Z',
  history: [
    { status: 'queued', at: '2026-11-21T08:00:00.000Z' },
    { status: 'building', at: '2026-11-21T08:00:00.012Z' },
    { status: 'starting', at: '2026-11-21T08:00:04.002Z' },
    { status: 'live', at: '2026-11-21T08:00:04.321Z' },
  ],
};

export const Deployment = Type.Object(
  {
    deployment_uuid: uuidSchema(),
    application_uuid: uuidSchema(),
    preview: textOrNullSchema({ description: 'The name of the preview; null for production.' }),
    action: enumSchema(DEPLOYMENT_ACTIONS, { description: 'The requested action.' }),
    status: enumSchema(DEPLOYMENT_STATUSES, {
      description: '`live` remains after a later deployment has replaced it.',
    }),
    is_current: Type.Boolean({
      description: 'True if this deployment serves now, or would serve if the site were not stopped.',
    }),
    triggered_by: enumSchema(DEPLOYMENT_TRIGGERS, {
      description: '`push`: the push hook. `request`: a call of the API.',
    }),
    requested_ref: Type.Union(
      [Type.Object({ type: enumSchema(REF_TYPES), name: Type.String() }), Type.Null()],
      { description: 'What the request named; null for the newest commit of the branch.' },
    ),
    promoted_from: textOrNullSchema({ description: 'For a promotion: the preview whose release it is.' }),
    promoted_from_application: textOrNullSchema({
      description: 'For a promotion: the other application whose release it is.',
    }),
    release_uuid: textOrNullSchema({
      format: 'uuid',
      description: 'What it runs; the same after a restart. Null until it is built, and once it was deleted.',
    }),
    commit_hash: textOrNullSchema({ description: 'The commit of the release; null until it is known.' }),
    commit_message: textOrNullSchema({ description: 'The first line of the commit message.' }),
    commit_author: textOrNullSchema({ description: 'The name of the commit’s author.' }),
    upload: Type.Union([schemaRef(Upload), Type.Null()], {
      description: 'The uploaded folder that is deployed; null for another source.',
    }),
    image: Type.Union([Type.Object({ name: Type.String(), digest: textOrNullSchema() }), Type.Null()], {
      description: 'The image that is deployed, and its digest once it is known; null for another source.',
    }),
    reason: textOrNullSchema({
      description:
        'Why it did not go live, or what it is waiting for: in English, or as `Accept-Language` prefers in Hebrew or Arabic.',
    }),
    reason_code: textOrNullSchema({
      description: 'The reason as a stable code, independent of wording and language.',
    }),
    requested_at: dateTimeSchema(),
    ended_at: dateTimeOrNullSchema('When it went live, or did not; null while it is under way. UTC'),
    history: Type.Array(Type.Object({ status: enumSchema(DEPLOYMENT_STATUSES), at: dateTimeSchema() }), {
      description: 'All states so far, with their start times.',
    }),
  },
  { $id: 'Deployment', examples: [example] },
);
export type Deployment = Static<typeof Deployment>;

export const sharedSchemas = [Deployment];

const tags = ['deployments'];
const deployments = developerRoutes.resource({
  tags,
  called: 'deployment',
  within: applicationParam,
  params: Type.Object({
    ...applicationParam.properties,
    deployment: Type.String({
      description: 'UUID; `latest`; `current`, the one that serves; or a commit, for its newest deployment.',
    }),
  }),
  record: Deployment,
  errors: applicationErrors,
  shown: (description) => schemaRef(Deployment, description),
});

export const listSchema = withPreviewQuery(
  deployments.page(
    {
      operationId: 'listDeployments',
      summary: 'List deployments, newest first',
      description: 'A `page` or `limit` that is not a positive integer takes its default.',
    },
    'deployments',
  ),
);

export const lastSchema = developerRoutes.get({
  tags,
  operationId: 'listLastDeployments',
  summary: 'List the last deployment of each application',
  description: 'Of production, newest first; applications without one are absent.',
  response: {
    200: Type.Object(
      { deployments: Type.Array(schemaRef(Deployment, 'The last deployment of an application.')) },
      { title: 'LastDeployments', description: 'The last deployments.' },
    ),
  },
  errors: {},
});

export const readSchema = {
  ...deployments.read({
    operationId: 'readDeployment',
    summary: 'Read a deployment',
    description:
      'With `wait`: once it has ended, or after that many seconds. 20 requests of a developer may wait.',
    errors: { ...applicationErrors, 400: true },
  }),
  querystring: queryOf(deploymentQuery),
};

/** Schema of routes that request a deployment and answer before it ends. */
const asking = <B extends { body?: TSchema }>(operation: Operation, more: B) =>
  developerRoutes.post({
    ...operation,
    ...more,
    tags,
    params: applicationParam,
    response: { 202: schemaRef(Deployment, 'The deployment was requested; follow its log or its record.') },
    errors: { ...applicationErrors, ...operation.errors },
  });

export const deploySchema = withPreviewQuery(
  asking(
    {
      operationId: 'deploy',
      summary: 'Deploy a commit',
      description:
        'Fetches the named commit, branch or tag (by default the branch’s newest commit), builds it, starts it beside the ' +
        'version that runs, and switches to it once it is healthy. ' +
        'A waiting deployment is superseded. 403 until the owner’s mail address is verified.',
      errors: { 403: listCodes('forbidden', 'unverified'), 409: listCodes('no_source', 'key_running') },
    },
    {
      isBodyOptional: true,
      body: Type.Object(inputFields(deployFields), {
        additionalProperties: false,
        title: 'DeployRequest',
        examples: [{ commit: example.commit_hash }],
      }),
    },
  ),
);

export const rollbackSchema = withPreviewQuery(
  asking(
    {
      operationId: 'rollBack',
      summary: 'Roll back to an earlier release',
      description:
        'Without a build, with the current variables; takes seconds. Without a body: to the previously live release.',
      errors: { 409: listCodes('no_release', 'over_budget', 'key_running') },
    },
    {
      isBodyOptional: true,
      body: bodyOf(rollbackFields, {
        additionalProperties: false,
        title: 'Rollback',
        examples: [{ deployment_uuid: example.deployment_uuid }],
      }),
    },
  ),
);

export const promoteSchema = asking(
  {
    operationId: 'promote',
    summary: 'Promote a release of a preview or of another application',
    description:
      'The release goes live in production without a build, with production’s variables and after the release command. ' +
      'Values that its build took from variables stay. In `application`, the role `look` is needed; ' +
      '`deploy`, if it has another owner.',
    errors: {
      400: true,
      403: listCodes('forbidden', 'role_missing', 'unverified'),
      409: listCodes('no_release', 'over_budget', 'key_running'),
    },
  },
  {
    body: bodyOf(promoteFields, {
      additionalProperties: false,
      title: 'Promotion',
      examples: [{ preview: 'feature-seats' }],
    }),
  },
);

export const restartSchema = withPreviewQuery(
  asking(
    {
      operationId: 'restart',
      summary: 'Restart with the current variables',
      description: 'The same release without a build; no request fails.',
      errors: { 409: listCodes('no_release', 'not_running', 'key_running') },
    },
    {},
  ),
);

export const startSchema = withPreviewQuery(
  asking(
    {
      operationId: 'startSite',
      summary: 'Start a stopped site',
      errors: { 409: listCodes('no_release', 'already_running', 'over_budget', 'key_running') },
    },
    {},
  ),
);

export const cancelSchema = developerRoutes.post({
  tags,
  operationId: 'cancelDeployment',
  summary: 'Cancel a deployment',
  description: 'A waiting deployment ends at once, a running one soon. The live version keeps serving.',
  params: readSchema.params,
  response: { 202: schemaRef(Deployment, 'It ends as `cancelled`.') },
  errors: { ...applicationErrors, 409: listCodes('finished', 'key_running') },
});

export const stopSchema = withPreviewQuery(
  developerRoutes.post({
    tags,
    operationId: 'stopSite',
    summary: 'Stop the site',
    description:
      'The site finishes its requests and ends; deployments under way are cancelled. It stays stopped until started or deployed.',
    params: applicationParam,
    response: {
      200: Type.Object(
        { application_uuid: uuidSchema(), status: enumSchema(['stopped', 'created', 'deploying']) },
        { title: 'StoppedSite', description: 'The site gets no new requests.' },
      ),
    },
    errors: { ...applicationErrors, 409: listCodes('not_running', 'key_running') },
  }),
);

export const logSchema = developerRoutes.get({
  tags,
  operationId: 'readDeploymentLog',
  summary: 'Read a deployment’s log',
  description: `Lines are \`<time> [<step>] <text>\`; ${HIDDEN} ${ALSO_BY_ACCEPT}`,
  params: readSchema.params,
  querystring: queryOf(colorsQuery),
  response: { 200: textAnswer('The log so far.') },
  errors: { ...applicationErrors, 400: true },
});

export const logStreamSchema = {
  ...developerRoutes.get({
    tags,
    operationId: 'followDeploymentLog',
    summary: 'Follow a deployment’s log',
    description:
      'Server-sent events, from the first line or from after `Last-Event-ID`, until an event `end` with the status.',
    params: readSchema.params,
    querystring: queryOf(colorsQuery),
    response: {
      200: eventAnswer,
      204: Type.Null({ description: 'The stream has ended: do not reconnect.' }),
    },
    errors: { ...applicationErrors, 400: true },
  }),
  ...followHeaders,
};

export const siteLogSchema = withPreviewQuery(
  developerRoutes.get({
    tags,
    operationId: 'readSiteLog',
    summary: 'Read the site’s log',
    description: `The newest lines of its output and errors, with times; ${HIDDEN} ${ALSO_BY_ACCEPT}`,
    params: applicationParam,
    querystring: queryOf({ ...siteLogQuery, ...colorsQuery }),
    response: { 200: textAnswer('The newest lines.') },
    errors: { ...applicationErrors, 400: true },
  }),
);

export const siteLogStreamSchema = withPreviewQuery({
  ...developerRoutes.get({
    tags,
    operationId: 'followSiteLog',
    summary: 'Follow the site’s log',
    description:
      'Server-sent events: the newest lines, or those after `Last-Event-ID`, and all further lines.',
    params: applicationParam,
    querystring: queryOf({ ...siteLogQuery, ...colorsQuery }),
    response: { 200: eventAnswer },
    errors: { ...applicationErrors, 400: true },
  }),
  ...followHeaders,
});
