import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { enumSchema, schemaRef, textOrNullSchema, uuidSchema } from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam, withPreviewQuery } from '../applications/contract.ts';

const example = {
  application_uuid: '01980a3b-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
  commit_hash: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  commit_message: 'Show the map',
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
      description: 'The newest of the branch; null where it could not be read.',
    }),
    commit_message: textOrNullSchema(),
    plan: Type.Union(
      [
        Type.Object({
          type: enumSchema(['static', 'server']),
          node: textOrNullSchema({
            description:
              'The versions of Node.js that will do, as a range of npm’s; null: whichever there is.',
          }),
          steps: Type.Array(
            Type.Object({
              name: enumSchema(['install', 'build']),
              command: Type.String(),
              folder: Type.String({ description: 'Of the repository; empty for all of it.' }),
            }),
          ),
          publish: Type.Array(Type.String(), {
            description: 'Of a static site: the first of these folders that has an index page.',
          }),
          caches: Type.Array(Type.String(), {
            description: 'Folders that the next build begins with, as this one leaves them.',
          }),
          processes: Type.Record(Type.String(), Type.String(), {
            description: 'Commands by names; an empty one is the image’s own.',
          }),
          release: textOrNullSchema({ description: 'Run once before a version takes traffic.' }),
          cron: Type.Array(
            Type.Object({ name: Type.String(), schedule: Type.String(), command: Type.String() }),
          ),
          port: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Where it listens whatever the variable PORT says.',
          }),
          health_path: Type.String(),
          spa: Type.Union([enumSchema(['always', 'auto']), Type.Null()], {
            description: 'When a path without a file is answered by the page of a static site.',
          }),
          dockerfile: Type.Union(
            [
              Type.Object({
                file: Type.String({ description: 'Below the root.' }),
                target: textOrNullSchema({
                  description: 'The stage that the image is of; null: the last one.',
                }),
                args: Type.Record(Type.String(), Type.String(), { description: 'What its ARGs are told.' }),
              }),
              Type.Null(),
            ],
            { description: 'What the site becomes an image by; null where it is built by steps.' },
          ),
          programs: Type.Array(Type.Object({ name: Type.String(), package: Type.String() }), {
            description: 'What the machine has to have for it, and the Debian package that brings it.',
          }),
          variables: Type.Record(Type.String(), Type.String(), {
            description:
              'Of its language and framework, for builds and sites; the application’s own variables go before them.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'null where nothing would be deployed; `reason` says why.' },
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
          'passed_over',
          'unlocked',
        ]),
        line: textOrNullSchema({ description: 'Of the plan.' }),
        value: textOrNullSchema(),
        by: textOrNullSchema({
          description: 'What decided: `settings`, `simcha.json`, `Procfile` and so on.',
        }),
        said: Type.String({ description: 'As a sentence: in English, or as `Accept-Language` prefers.' }),
      }),
      { description: 'What was recognised, and what decided each line.' },
    ),
    reason: textOrNullSchema({ description: 'Why there is no plan.' }),
    reason_code: textOrNullSchema({ description: 'The same for machines.' }),
  },
  { $id: 'PlanForecast', examples: [example] },
);
export type PlanForecast = Static<typeof PlanForecast>;

export const sharedSchemas = [PlanForecast];

export const forecastSchema = withPreviewQuery(
  developerRoutes.get({
    tags: ['deployments'],
    operationId: 'readPlan',
    summary: 'Read what a deployment would do',
    description:
      'Fetches the newest commit and says what would be installed, built and started, and what decided that; builds nothing.',
    params: applicationParam,
    response: { 200: schemaRef(PlanForecast, 'What would be done, or why nothing.') },
    errors: {
      ...applicationErrors,
      403: listCodes('forbidden', 'unverified'),
      503: listCodes('no_host', 'plan_not_ready'),
    },
  }),
);
