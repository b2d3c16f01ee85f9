import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { App } from './app.ts';
import { errorAnswer } from './error-answers.ts';
import { oneOf, ref } from './shapes.ts';

const Health = Type.Object({ status: oneOf(['ok', 'unavailable']) }, { $id: 'Health' });
const NOT_READY = 'Not ready yet, or not any more.';

/** `/healthz`: the process answers. `/readyz`: it can work, which takes its job queue and a database that answers. */
export function serveHealth(app: App, database: Database, isReady: () => boolean): void {
  app.addSchema(Health);
  app.get(
    '/healthz',
    {
      schema: {
        tags: ['operation'],
        operationId: 'alive',
        summary: 'Alive',
        description: 'The process is up, whatever the state of the database.',
        response: { 200: ref(Health, 'Alive.') },
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
        description: 'The database is migrated and answers, and the job queue runs. 503 while they do not.',
        response: { 200: ref(Health, 'Ready.'), 503: ref(Health, NOT_READY) },
        errors: { 503: errorAnswer('NotReady', NOT_READY, Health, { status: 'unavailable' }) },
      },
    },
    async (_request, reply) => {
      const ready =
        isReady() &&
        (await database.ping().then(
          () => true,
          () => false,
        ));
      return ready ? { status: 'ok' as const } : reply.code(503).send({ status: 'unavailable' });
    },
  );
}
