import type { FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { authorizeApplication, createRecheck } from '../applications/access.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { siteLogQuery } from '../deployments/fields.ts';
import { createLogAnswers } from '../logs/answers.ts';
import type { Logs } from '../logs/logs.ts';
import { accessLogOf } from './access-log.ts';
import { readSchema, streamSchema } from './contract.ts';

export interface AccessLogParts {
  logs: Pick<Logs, 'read'>;
  applications: Pick<ApplicationStore, 'find' | 'roleIn'>;
  readDeveloper: DeveloperReader;
  clock: Clock;
}

/** Serves the access log of a site: `/api/v1/applications/{uuid}/access-log`. */
export function serveAccessLog(
  server: Server,
  { logs, applications, readDeveloper, clock }: AccessLogParts,
): void {
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));
      const recheck = createRecheck(readDeveloper, applications);
      const answers = createLogAnswers({ server, logs, recheck, clock });
      const logOf = ({ application }: FastifyRequest) => accessLogOf(application.environment_id);

      app.get('/access-log', { schema: readSchema }, async (request, reply) =>
        answers.newest(request, reply, logOf(request), readQuery(siteLogQuery, request.query)),
      );

      app.get('/access-log/stream', { schema: streamSchema }, async (request, reply) =>
        answers.followNewest(request, reply, logOf(request), readQuery(siteLogQuery, request.query)),
      );
    },
    { prefix: '/api/v1/applications/:uuid' },
  );
}
