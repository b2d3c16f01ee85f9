import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { App } from './server.ts';

const Health = Type.Object({ status: Type.Union([Type.Literal('ok'), Type.Literal('unavailable')]) });

/** `/healthz`: the process answers. `/readyz`: it can work, which takes its job queue and a database that answers. */
export function serveHealth(app: App, database: Database, isReady: () => boolean): void {
  app.get(
    '/healthz',
    {
      schema: {
        tags: ['operation'],
        summary: 'Alive',
        description: 'The process is up, whatever the state of the database.',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      schema: {
        tags: ['operation'],
        summary: 'Ready',
        description: 'The database is migrated and answers, and the job queue runs. 503 while they do not.',
        response: { 200: Health, 503: Health },
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
