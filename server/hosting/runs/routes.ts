import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Fields } from '../../kernel/fields.ts';
import { fieldsOf } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { readPage } from '../../kernel/paging.ts';
import { readQuery } from '../../kernel/query-types.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import { authorizeApplication, createRecheck } from '../applications/access.ts';
import { makeChange, newFields } from '../applications/changes.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { refuseIfGone } from '../deployments/deployments.ts';
import { createLogAnswers, wantsEvents } from '../logs/answers.ts';
import { colorsQuery } from '../logs/contract.ts';
import type { Logs } from '../logs/logs.ts';
import { describeReason } from '../model/reasons/reason.ts';
import type { RunRow } from '../model/run-rows.ts';
import {
  cancelSchema,
  listSchema,
  logSchema,
  logStreamSchema,
  type Run,
  readSchema,
  requestSchema,
  sharedSchemas,
} from './contract.ts';
import { readRunRequest, runsQuery } from './fields.ts';
import { noSuchRun, type RunStore } from './store.ts';

export interface RunRouteParts {
  store: RunStore;
  logs: Logs;
  applications: Pick<ApplicationStore, 'find' | 'roleIn'>;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
  /** Highest time limit of a run, in seconds. */
  mostSeconds: number;
}

/** Serves runs, single commands in an application's release: `/api/v1/applications/{uuid}/runs`. */
export function serveRuns(server: Server, parts: RunRouteParts): void {
  const { store, logs, applications, readDeveloper, clock, mostSeconds } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  const ownRun = async ({
    params: { run },
    application: { environment_id },
  }: FastifyRequest<{ Params: { run: string } }>): Promise<RunRow> => {
    const row = await store.findNamed(environment_id, run);
    if (!row) throw noSuchRun();
    return row;
  };

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));
      const recheck = createRecheck(readDeveloper, applications);
      const answers = createLogAnswers({ server, logs, recheck, clock });

      app.post('', { schema: requestSchema }, (request, reply) => {
        const { application, body } = request;
        return makeChange(parts, request, reply, async (transaction) => {
          const requested = readRunRequest(fieldsOf(body), mostSeconds);
          const row = await refuseIfGone(
            store.request(application.environment_id, requested, clock(), transaction),
          );
          const location = `${PREFIX}/${application.application_uuid}/runs/${row.run_id}`;
          const history = { subject: row.run_id, changes: newFields({ command: row.command }) };
          return { status: 202, headers: { location }, body: present(request, row), history };
        });
      });

      app.get('', { schema: listSchema }, async (request) => {
        const { page, limit, offset } = readPage(request.query);
        const filter = readQuery(runsQuery, request.query);
        const { runs, total } = await store.list(request.application.environment_id, filter, {
          limit,
          offset,
        });
        return { runs: runs.map((row) => present(request, row)), total, page, limit };
      });

      app.get('/:run', { schema: readSchema }, async (request) => present(request, await ownRun(request)));

      app.get('/:run/logs', { schema: logSchema }, async (request, reply) => {
        const run = await ownRun(request);
        if (wantsEvents(request)) return follow(run, request, reply);
        return answers.whole(reply, run.run_id, readQuery(colorsQuery, request.query as Fields));
      });

      app.get('/:run/logs/stream', { schema: logStreamSchema }, async (request, reply) =>
        follow(await ownRun(request), request, reply),
      );

      app.post('/:run/cancel', { schema: cancelSchema }, async (request, reply) => {
        const { run_id } = await ownRun(request);
        const { environment_id } = request.application;
        return makeChange(parts, request, reply, async (transaction) => {
          const row = await refuseIfGone(store.cancel(environment_id, run_id, clock(), transaction));
          return { status: 202, body: present(request, row), history: { subject: run_id } };
        });
      });

      const follow = ({ environment_id, run_id }: RunRow, request: FastifyRequest, reply: FastifyReply) =>
        answers.followToEnd(request, reply, run_id, {
          ...readQuery(colorsQuery, request.query as Fields),
          find: async () => {
            const row = await store.find(environment_id, run_id);
            return row && { status: row.status, endedAt: row.ended_at?.toISOString() ?? null };
          },
        });
    },
    { prefix: `${PREFIX}/:uuid/runs` },
  );
}

function present({ headers, application }: FastifyRequest, row: RunRow): Run {
  const { run_id, environment_id: _, cancel_requested: __, asked_at, reason, ...shown } = row;
  return {
    run_uuid: run_id,
    application_uuid: application.application_uuid,
    ...shown,
    reason: reason && describeReason(reason, preferredLanguage(headers['accept-language'])),
    reason_code: reason?.code ?? null,
    exit_code: reason?.code === 'exited' ? Number(reason.params.code) : null,
    due_at: row.due_at?.toISOString() ?? null,
    requested_at: asked_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
