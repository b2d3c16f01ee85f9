import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { App } from './app.ts';
import { errorAnswer } from './error-answers.ts';
import { enumSchema, schemaRef } from './shapes.ts';

const STATUSES = ['ok', 'unavailable'] as const;
/** Values of a health check's field `hosting`: whether the sites that should run are available through this server. */
const AVAILABILITIES = ['ok', 'starting', 'elsewhere', 'unhosted'] as const;
export type SitesAvailability = (typeof AVAILABILITIES)[number];
const Health = Type.Object({ status: enumSchema(STATUSES) }, { $id: 'Health' });
const Readiness = Type.Object(
  {
    status: enumSchema(STATUSES),
    hosting: enumSchema(AVAILABILITIES, {
      description:
        'Whether the sites that should run are available through this server, apart from those that failed themselves: ' +
        '`starting` while some are restarting, `elsewhere` if another server runs them and has no address to which ' +
        'this one could pass requests on, `unhosted` while no server runs sites.',
    }),
  },
  { $id: 'Readiness' },
);
const NOT_READY = 'Not ready yet, or no longer ready.';
/**
 * Time limit for the database's reply to a health check, so that the check's client has its response within a second,
 * including the network.
 */
const PING_MS = 800;

export interface HealthParts {
  database: Pick<Database, 'ping'>;
  /** True once everything that the routes need is ready, such as the job queue. */
  isReady(): boolean;
  hosting(): SitesAvailability;
}

/**
 * Routes of health checks. `/healthz`: the process answers. `/readyz`: it can work, which requires the job queue and a
 * database that answers.
 */
export function serveHealth(app: App, { database, isReady, hosting: reach }: HealthParts): void {
  app.addSchema(Health);
  app.addSchema(Readiness);
  app.get(
    '/healthz',
    {
      schema: {
        tags: ['operation'],
        operationId: 'alive',
        summary: 'Alive',
        description: 'The process is up, whatever the state of the database.',
        security: [],
        response: { 200: schemaRef(Health, 'Alive.') },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      schema: {
        tags: ['operation'],
        operationId: 'ready',
        summary: 'Ready',
        description:
          'The database is migrated and answers, and the job queue runs. 503 while they do not, within a second. ' +
          '`hosting` describes the sites and does not affect the status.',
        security: [],
        response: { 200: schemaRef(Readiness, 'Ready.'), 503: schemaRef(Readiness, NOT_READY) },
        errors: {
          503: errorAnswer('NotReady', NOT_READY, Readiness, { status: 'unavailable', hosting: 'ok' }),
        },
      },
    },
    async (_request, reply) => {
      const hosting = reach();
      const answers = () =>
        database.ping().then(
          () => true,
          () => false,
        );
      const late = sleep(PING_MS, false, { ref: false });
      if (isReady() && (await Promise.race([answers(), late]))) return { status: 'ok' as const, hosting };
      return reply.code(503).send({ status: 'unavailable', hosting });
    },
  );
}
