import { type Static, Type } from 'typebox';
import { apiErrors, keyedErrors, keyHeader, ofBody } from '../../identity/contract.ts';
import { codes } from '../../kernel/http/error-answers.ts';
import { dateTime, dateTimeOrNull, oneOf, ref, textOrNull, uuid } from '../../kernel/http/shapes.ts';
import { applicationErrors } from '../applications/contract.ts';
import { ACTIONS, STATUSES } from './lifecycle.ts';

/** The shapes of the deployment routes: one schema each serializes, documents and types. */

const example = {
  deployment_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  application_uuid: '01980a3b-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
  action: 'deploy',
  status: 'live',
  is_current: true,
  commit_hash: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  commit_message: 'Show the map',
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
    deployment_uuid: uuid(),
    application_uuid: uuid(),
    action: oneOf(ACTIONS, { description: 'What was asked for.' }),
    status: oneOf(STATUSES, { description: '`live` stays when a later deployment takes its place.' }),
    is_current: Type.Boolean({ description: 'This one serves now, or would if the site were not stopped.' }),
    commit_hash: textOrNull({ description: 'Of the release; null until it is known.' }),
    commit_message: textOrNull({ description: 'Its first line.' }),
    reason: textOrNull({
      description: 'Why it did not go live: in English, or as `Accept-Language` prefers in Hebrew or Arabic.',
    }),
    reason_code: textOrNull({
      description: 'The same for machines; it does not change with the wording or the language.',
    }),
    requested_at: dateTime(),
    ended_at: dateTimeOrNull('When it went live, or did not; null while it is under way. UTC'),
    history: Type.Array(Type.Object({ status: oneOf(STATUSES), at: dateTime() }), {
      description: 'Every state it was in, and since when.',
    }),
  },
  { $id: 'Deployment', examples: [example] },
);
export type Deployment = Static<typeof Deployment>;

export const sharedSchemas = [Deployment];

const common = { tags: ['deployments'], security: [{ apiKey: [] }] };
const applicationParam = Type.Object({
  uuid: Type.String({ description: 'The application’s UUID; anything else is a 404.' }),
});
const deploymentParam = Type.Object({
  uuid: Type.String({ description: 'The application’s UUID; anything else is a 404.' }),
  deployment: Type.String({ description: 'The deployment’s UUID; anything else is a 404.' }),
});
const accepted = { 202: ref(Deployment, 'Asked for; follow it by its log or its record.') };

export const deploySchema = {
  ...common,
  operationId: 'deploy',
  summary: 'Deploy the newest commit',
  description:
    'Fetches the branch, builds it, starts it beside the version that runs, and switches to it once it is healthy. ' +
    'A deployment that still waits is superseded. 403 until the owner’s mail address is verified.',
  params: applicationParam,
  headers: keyHeader,
  response: { ...accepted },
  errors: keyedErrors({ ...applicationErrors, 403: codes('forbidden', 'unverified') }),
};

export const listSchema = {
  ...common,
  operationId: 'listDeployments',
  summary: 'List deployments, newest first',
  description: 'What is not a positive integer takes its default.',
  params: applicationParam,
  querystring: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 20, description: 'Cut at 1000.' }),
    ),
  }),
  response: {
    200: Type.Object(
      {
        deployments: Type.Array(ref(Deployment)),
        total: Type.Integer(),
        page: Type.Integer(),
        limit: Type.Integer(),
      },
      { description: 'A page of deployments.' },
    ),
  },
  errors: apiErrors(applicationErrors),
};

export const readSchema = {
  ...common,
  operationId: 'readDeployment',
  summary: 'Read a deployment',
  params: deploymentParam,
  response: { 200: ref(Deployment, 'The deployment.') },
  errors: apiErrors(applicationErrors),
};

const asText = (description: string) => ({
  description,
  content: { 'text/plain': { schema: Type.String() } },
});
const asEvents = {
  description: 'Each line an event, its number the id.',
  content: { 'text/event-stream': { schema: Type.String() } },
};
const lastEventId = Type.Object({ 'last-event-id': Type.Optional(Type.String()) });
const HIDDEN = 'the values of variables are hidden.';
const ALSO_BY_ACCEPT = 'With `Accept: text/event-stream` it is the stream instead, as under `/stream`.';

export const logSchema = {
  ...common,
  operationId: 'readDeploymentLog',
  summary: 'Read a deployment’s log',
  description: `Lines are \`<time> [<step>] <text>\`; ${HIDDEN} ${ALSO_BY_ACCEPT}`,
  params: deploymentParam,
  response: { 200: asText('What there is so far.') },
  errors: apiErrors(applicationErrors),
};

export const logStreamSchema = {
  ...common,
  operationId: 'followDeploymentLog',
  summary: 'Follow a deployment’s log',
  description:
    'Server-sent events, from the first line or from after `Last-Event-ID`, until an event `end` with the status.',
  params: deploymentParam,
  headers: lastEventId,
  response: { 200: asEvents, 204: Type.Null({ description: 'A stream that had ended: do not come back.' }) },
  errors: apiErrors(applicationErrors),
};

export const cancelSchema = {
  ...common,
  operationId: 'cancelDeployment',
  summary: 'Cancel a deployment',
  description:
    'One that waits ends at once, one that is worked on soon. The version that runs goes on serving.',
  params: deploymentParam,
  headers: keyHeader,
  response: {
    202: ref(Deployment, 'It ends as `cancelled`.'),
  },
  errors: keyedErrors(applicationErrors, 'finished'),
};

const RollbackBody = Type.Object(
  { deployment_uuid: uuid('Whose release to run again.') },
  { examples: [{ deployment_uuid: example.deployment_uuid }] },
);

export const rollbackSchema = {
  ...common,
  operationId: 'rollBack',
  summary: 'Roll back to an earlier release',
  description: 'Without a build, with the variables of today. Takes seconds.',
  params: applicationParam,
  headers: keyHeader,
  body: RollbackBody,
  response: {
    ...accepted,
  },
  errors: keyedErrors({ ...ofBody, ...applicationErrors }, 'no_release'),
};

export const restartSchema = {
  ...common,
  operationId: 'restart',
  summary: 'Restart with the variables of today',
  description: 'The same release without a build; no request fails.',
  params: applicationParam,
  headers: keyHeader,
  response: { ...accepted },
  errors: keyedErrors(applicationErrors, 'no_release', 'not_running'),
};

export const startSchema = {
  ...common,
  operationId: 'startSite',
  summary: 'Start a stopped site',
  params: applicationParam,
  headers: keyHeader,
  response: {
    ...accepted,
  },
  errors: keyedErrors(applicationErrors, 'no_release', 'already_running'),
};

export const stopSchema = {
  ...common,
  operationId: 'stopSite',
  summary: 'Stop the site',
  description:
    'It finishes what it has and ends; deployments under way are cancelled. It stays stopped until started or deployed.',
  params: applicationParam,
  headers: keyHeader,
  response: {
    200: Type.Object(
      {
        application_uuid: uuid(),
        status: oneOf(['stopped', 'created', 'deploying']),
      },
      { description: 'Nothing new reaches the site.' },
    ),
  },
  errors: keyedErrors(applicationErrors, 'not_running'),
};

export const siteLogSchema = {
  ...common,
  operationId: 'readSiteLog',
  summary: 'Read what the site writes',
  description: `The newest lines of its output and errors, with times; ${HIDDEN} ${ALSO_BY_ACCEPT}`,
  params: applicationParam,
  querystring: Type.Object({
    lines: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 500 })),
  }),
  response: { 200: asText('The newest lines.') },
  errors: apiErrors({ ...applicationErrors, 400: true }),
};

export const siteLogStreamSchema = {
  ...common,
  operationId: 'followSiteLog',
  summary: 'Follow what the site writes',
  description: 'Server-sent events: the newest lines, or those after `Last-Event-ID`, and what comes.',
  params: applicationParam,
  headers: lastEventId,
  response: { 200: asEvents },
  errors: apiErrors(applicationErrors),
};
