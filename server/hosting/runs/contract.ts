import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf } from '../../kernel/http/field-schemas.ts';
import { queryOf } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  dateTimeSchema,
  enumSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { pageQuery } from '../../kernel/paging.ts';
import { applicationErrors, applicationParam, withPreviewQuery } from '../applications/contract.ts';
import {
  ALSO_BY_ACCEPT,
  colorsQuery,
  eventAnswer,
  followHeaders,
  HIDDEN,
  textAnswer,
} from '../logs/contract.ts';
import { RUN_KINDS, RUN_STATUSES } from '../model/run-rows.ts';
import { LONGEST_SECONDS, runFields, runsQuery } from './fields.ts';

/** Schemas of the run routes, for serialization, documentation and types. */

const example = {
  run_uuid: '01980a3d-2f6a-7d11-8e0c-6a1b2c3d4e5f',
  application_uuid: '01980a3b-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
  kind: 'once',
  job: null,
  command: 'node scripts/count-guests.js',
  seconds: 3_600,
  status: 'succeeded',
  reason: 'exited with code 0',
  reason_code: 'exited',
  exit_code: 0,
  deployment_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  due_at: null,
  requested_at: '2026-11-21T08:00:00.000Z',
  started_at: '2026-11-21T08:00:00.321Z',
  ended_at: '2026-11-21T08:00:04.321Z',
};

export const Run = Type.Object(
  {
    run_uuid: uuidSchema(),
    application_uuid: uuidSchema(),
    kind: enumSchema(RUN_KINDS, { description: '`once`: started by hand. `cron`: started by its schedule.' }),
    job: textOrNullSchema({ description: 'The name of the release’s job; null for other commands.' }),
    command: Type.String(),
    seconds: Type.Integer({ description: 'The time limit.' }),
    status: enumSchema(RUN_STATUSES, {
      description: '`skipped`: it was due but not run; `reason` says why.',
    }),
    reason: textOrNullSchema({
      description: 'How it ended: in English, or as `Accept-Language` prefers in Hebrew or Arabic.',
    }),
    reason_code: textOrNullSchema({
      description: 'The reason as a stable code, independent of wording and language.',
    }),
    exit_code: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Null if it did not end on its own.',
    }),
    deployment_uuid: textOrNullSchema({
      format: 'uuid',
      description: 'The deployment whose release it ran; null before it has started.',
    }),
    due_at: dateTimeOrNullSchema('When it was due by its schedule. UTC'),
    requested_at: dateTimeSchema(),
    started_at: dateTimeOrNullSchema(),
    ended_at: dateTimeOrNullSchema(),
  },
  { $id: 'Run', examples: [example] },
);
export type Run = Static<typeof Run>;

export const sharedSchemas = [Run];

const tags = ['runs'];
const runs = developerRoutes.resource({
  tags,
  called: 'run',
  within: applicationParam,
  params: Type.Object({
    ...applicationParam.properties,
    run: Type.String({ description: 'UUID, its first or last digits (at least four), or `latest`.' }),
  }),
  record: Run,
  errors: applicationErrors,
  shown: (description) => schemaRef(Run, description),
});

export const requestSchema = withPreviewQuery(
  developerRoutes.post({
    tags,
    operationId: 'run',
    summary: 'Run a command',
    description:
      'Once, in the release that is current, with its variables and `$HOME`, beside what runs. Either `command` or `job`; any other ' +
      'field is a 400. Follow it by its log or its record.',
    params: applicationParam,
    body: bodyOf(runFields(LONGEST_SECONDS), {
      title: 'RunRequest',
      examples: [{ command: example.command }, { job: 'cleanup' }],
    }),
    response: { 202: schemaRef(Run, 'The run was requested; a server that runs sites starts it at once.') },
    errors: {
      ...applicationErrors,
      409: listCodes('no_release', 'only_files', 'too_many_runs', 'over_budget', 'key_running'),
    },
  }),
);

export const listSchema = withPreviewQuery(
  developerRoutes.get({
    tags,
    operationId: 'listRuns',
    summary: 'List runs, newest first',
    description: 'The newest 200 finished runs, and all unfinished ones.',
    params: applicationParam,
    querystring: queryOf({ ...pageQuery, ...runsQuery }),
    response: {
      200: Type.Object(
        {
          runs: Type.Array(schemaRef(Run)),
          total: Type.Integer({ description: 'The total number.' }),
          page: Type.Integer(),
          limit: Type.Integer(),
        },
        { title: 'RunPage', description: 'A page of runs.' },
      ),
    },
    errors: applicationErrors,
  }),
);

export const readSchema = withPreviewQuery(runs.read({ operationId: 'readRun', summary: 'Read a run' }));

export const cancelSchema = withPreviewQuery(
  developerRoutes.post({
    tags,
    operationId: 'cancelRun',
    summary: 'Cancel a run',
    description: 'A waiting run ends at once, a running one is killed.',
    params: readSchema.params,
    response: { 202: schemaRef(Run, 'It ends as `cancelled`.') },
    errors: { ...applicationErrors, 409: listCodes('finished', 'key_running') },
  }),
);

export const logSchema = withPreviewQuery(
  developerRoutes.get({
    tags,
    operationId: 'readRunLog',
    summary: 'Read a run’s log',
    description: `Lines are \`<time> [run] <text>\`; ${HIDDEN} ${ALSO_BY_ACCEPT}`,
    params: readSchema.params,
    querystring: queryOf(colorsQuery),
    response: { 200: textAnswer('The log so far.') },
    errors: { ...applicationErrors, 400: true },
  }),
);

export const logStreamSchema = withPreviewQuery({
  ...developerRoutes.get({
    tags,
    operationId: 'followRunLog',
    summary: 'Follow a run’s log',
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
});
