import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { noParameters } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  enumSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam, withPreviewQuery } from '../applications/contract.ts';
import { countsSchema, MOST_REPLICAS } from './fields.ts';
import { REPLICA_STATES } from './store.ts';

/** Schemas of the process routes, for serialization, documentation and types. */

const example = {
  application_uuid: '01980a3b-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
  processes: [
    {
      name: 'web',
      command: 'node server.js',
      wanted: 2,
      replicas: [
        { number: 1, state: 'running', since: '2026-11-21T08:00:04.321Z', restarts: 0, reason: null },
        { number: 2, state: 'running', since: '2026-11-21T08:00:04.321Z', restarts: 1, reason: null },
      ],
    },
    { name: 'worker', command: 'node worker.js', wanted: 0, replicas: [] },
  ],
  release: 'node migrate.js',
  jobs: [
    { name: 'tidy', schedule: '0 4 * * *', command: 'node tidy.js', next_at: '2026-11-22T02:00:00.000Z' },
  ],
};

export const Processes = Type.Object(
  {
    application_uuid: uuidSchema(),
    processes: Type.Array(
      Type.Object({
        name: Type.String({ description: '`web` takes the site’s requests.' }),
        command: Type.String({ description: 'Empty for the image’s own command.' }),
        wanted: Type.Integer({ description: 'The requested number of replicas.' }),
        replicas: Type.Array(
          Type.Object({
            number: Type.Integer({ description: 'Starts at 1; logs name a replica `worker.2`.' }),
            state: enumSchema(REPLICA_STATES, {
              description: '`down`: it ended, and will be restarted soon.',
            }),
            since: dateTimeOrNullSchema(),
            restarts: Type.Integer({
              description: 'How often it ended on its own since its release went live.',
            }),
            reason: textOrNullSchema({
              description: 'How it ended: in English, or as `Accept-Language` prefers in Hebrew or Arabic.',
            }),
          }),
          { description: 'Empty if the site is stopped.' },
        ),
      }),
      { description: 'Processes of the live release; empty before the first release, and for static sites.' },
    ),
    release: textOrNullSchema({ description: 'The command that runs once before a release gets traffic.' }),
    jobs: Type.Array(
      Type.Object({
        name: Type.String(),
        schedule: Type.String({ description: 'Five fields, in the application’s `time_zone`.' }),
        command: Type.String(),
        next_at: dateTimeOrNullSchema(
          'UTC; null if the site is stopped, for previews, and if the schedule has no next time.',
        ),
      }),
      { description: 'Scheduled jobs; their runs are under `/runs`.' },
    ),
  },
  { $id: 'Processes', examples: [example] },
);
export type Processes = Static<typeof Processes>;

export const sharedSchemas = [Processes];

const processes = developerRoutes.resource({
  tags: ['applications'],
  called: 'processes',
  within: noParameters,
  params: applicationParam,
  record: Processes,
  errors: applicationErrors,
  shown: (description) => schemaRef(Processes, description),
});

export const readSchema = withPreviewQuery(
  processes.read({
    operationId: 'readProcesses',
    summary: 'Read processes',
    answer: 'Each process with its requested number of replicas and their states.',
  }),
);

export const changeSchema = withPreviewQuery(
  processes.change(
    {
      operationId: 'scaleProcesses',
      summary: 'Scale processes',
      description:
        `A flat object of names of processes to counts, 0 to ${MOST_REPLICAS}; null puts one back to its default, which is one; others stay. ` +
        'Takes effect at once, without a deployment: surplus replicas finish their requests and end.',
      answer: 'The requested numbers after the change.',
      errors: { ...applicationErrors, 409: listCodes('only_files', 'over_budget') },
    },
    Type.Unsafe({ ...countsSchema, examples: [{ web: 2, worker: 1 }] }),
  ),
);
