import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { queryOf } from '../../kernel/http/resource.ts';
import { enumSchema, schemaRef, textOrNullSchema, uuidSchema } from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam, withPreviewQuery } from '../applications/contract.ts';
import { refQuery } from '../deployments/fields.ts';

const example = {
  application_uuid: '01980a3b-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
  commit_hash: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  commit_message: 'Show the map',
  commit_author: 'Noa',
  branches: ['main', 'next'],
  plan: {
    type: 'server',
    node: '>=22.0.0 <23.0.0-0',
    steps: [{ name: 'install', command: 'npm ci --include=dev', folder: '' }],
    publish: [],
    caches: [],
    processes: { web: 'node server.js', worker: 'node worker.js' },
    release: null,
    cron: [{ name: 'reminders', schedule: '0 9 * * *', command: 'node remind.js' }],
    port: null,
    health_path: '/',
    spa: null,
    dockerfile: null,
    image: null,
    programs: [],
    variables: {},
  },
  findings: [
    {
      kind: 'line',
      line: 'start',
      value: 'node server.js',
      by: 'package.json',
      said: 'start: node server.js (package.json)',
    },
  ],
  reason: null,
  reason_code: null,
};

export const PlanForecast = Type.Object(
  {
    application_uuid: uuidSchema(),
    commit_hash: textOrNullSchema({
      description: 'The commit; null if it could not be read.',
    }),
    commit_message: textOrNullSchema(),
    commit_author: textOrNullSchema(),
    branches: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The repository’s branches, at most 200; null if there is none, or if it can’t be read.',
    }),
    plan: Type.Union(
      [
        Type.Object({
          type: enumSchema(['static', 'server']),
          node: textOrNullSchema({
            description: 'Accepted versions of Node.js, as an npm range; null: any.',
          }),
          steps: Type.Array(
            Type.Object({
              name: enumSchema(['install', 'build']),
              command: Type.String(),
              folder: Type.String({ description: 'The folder in the repository; empty for its root.' }),
            }),
          ),
          publish: Type.Array(Type.String(), {
            description:
              'For a static site: candidates for the published folder; the first one with an index page is used.',
          }),
          caches: Type.Array(Type.String(), {
            description: 'Folders that are kept for the next build.',
          }),
          processes: Type.Record(Type.String(), Type.String(), {
            description: 'Commands by process name; an empty one means the image’s own command.',
          }),
          release: textOrNullSchema({ description: 'Runs once before a version gets traffic.' }),
          cron: Type.Array(
            Type.Object({ name: Type.String(), schedule: Type.String(), command: Type.String() }),
          ),
          port: Type.Union([Type.Integer(), Type.Null()], {
            description: 'The port on which it listens regardless of the variable PORT.',
          }),
          health_path: Type.String(),
          spa: Type.Union([enumSchema(['always', 'auto']), Type.Null()], {
            description: 'When a path without a file is answered with the site’s page (single-page app).',
          }),
          dockerfile: Type.Union(
            [
              Type.Object({
                file: Type.String({ description: 'Below the root.' }),
                target: textOrNullSchema({
                  description: 'The target stage; null: the last one.',
                }),
                args: Type.Record(Type.String(), Type.String(), { description: 'Values of its ARGs.' }),
              }),
              Type.Null(),
            ],
            { description: 'The Dockerfile that builds the site; null if it is built by steps.' },
          ),
          image: Type.Union([Type.Object({ name: Type.String(), digest: Type.String() }), Type.Null()], {
            description: 'The image that the site runs; null if it is built.',
          }),
          programs: Type.Array(Type.Object({ name: Type.String(), package: Type.String() }), {
            description: 'Programs that the machine must have, with their Debian packages.',
          }),
          variables: Type.Record(Type.String(), Type.String(), {
            description:
              'Variables of its language and framework, for builds and sites; the application’s own variables override them.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'null if nothing would be deployed; `reason` says why.' },
    ),
    findings: Type.Array(
      Type.Object({
        kind: enumSchema([
          'framework',
          'line',
          'development',
          'files_only',
          'language',
          'version',
          'language_idle',
          'dockerfile_only',
          'dockerfile_idle',
          'dockerfile_unbuilt',
          'dockerfile_untrusted',
          'passed_over',
          'unlocked',
          'unserved',
        ]),
        line: textOrNullSchema({ description: 'The line of the plan.' }),
        value: textOrNullSchema(),
        by: textOrNullSchema({
          description: 'Its origin: `settings`, `simcha.json`, `Procfile` and so on.',
        }),
        said: Type.String({
          description: 'The finding as a sentence: in English, or as `Accept-Language` prefers.',
        }),
      }),
      { description: 'What was recognised, and the origin of each line.' },
    ),
    reason: textOrNullSchema({ description: 'Why there is no plan.' }),
    reason_code: textOrNullSchema({ description: 'The reason as a stable code.' }),
  },
  { $id: 'PlanForecast', examples: [example] },
);
export type PlanForecast = Static<typeof PlanForecast>;

export const sharedSchemas = [PlanForecast];

export const forecastSchema = withPreviewQuery(
  developerRoutes.get({
    tags: ['deployments'],
    operationId: 'readPlan',
    summary: 'Preview a deployment’s plan',
    description:
      'Fetches the named commit, branch or tag (by default the branch’s newest commit) and reports what would be installed, built and started, and why; builds nothing.',
    params: applicationParam,
    querystring: queryOf(refQuery),
    response: { 200: schemaRef(PlanForecast, 'The plan, or the reason why there is none.') },
    errors: {
      ...applicationErrors,
      400: true,
      403: listCodes('forbidden', 'unverified'),
      503: listCodes('no_host', 'plan_not_ready'),
    },
  }),
);
