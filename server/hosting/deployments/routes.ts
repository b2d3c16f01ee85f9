import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { type DeveloperReader, keeperOf } from '../../identity/developers.ts';
import { readQuery } from '../../kernel/asks.ts';
import type { Clock } from '../../kernel/clock.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { EVENT_STREAM, type Events, event } from '../../kernel/http/event-stream.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { readPage } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { readWhole } from '../../kernel/takes.ts';
import type { Done, TransactOnce } from '../../kernel/writes/idempotency.ts';
import { ownApplication } from '../applications/access.ts';
import type { ApplicationStore, EnvironmentName } from '../applications/store.ts';
import type { Logs } from '../logs/logs.ts';
import type { LoggedLine } from '../logs/store.ts';
import { reason, say } from '../reasons/reason.ts';
import {
  cancelSchema,
  type Deployment,
  deploySchema,
  listSchema,
  logSchema,
  logStreamSchema,
  readSchema,
  restartSchema,
  rollbackSchema,
  sharedSchemas,
  siteLogSchema,
  siteLogStreamSchema,
  startSchema,
  stopSchema,
} from './contract.ts';
import type { Deployments } from './deployments.ts';
import { rollbackFields, siteLogQuery } from './fields.ts';
import { isFinal } from './lifecycle.ts';
import { messages } from './messages.ts';
import type { DeploymentRow } from './rows.ts';
import type { DeploymentStore } from './store.ts';

const PREFIX = '/api/v1/applications/:uuid';
/** The id of a stream's last event. */
const THE_END = 'end';
/** Log streams open at the same time on one server, of one application and for one credential. */
const MOST_FOLLOWERS = 10;
const MOST_FOLLOWED = 20;
/** Longer than any deployment takes. */
const LONGEST_STREAM_MS = 60 * 60_000;
/** Lines of a site that a client is told which begins to follow. */
const FIRST_TOLD = 1_000;
/** How long after its end a deployment's last words are waited for. */
const LAST_WORDS_MS = 10_000;

export interface DeploymentRouteParts {
  deployments: Deployments;
  store: DeploymentStore;
  logs: Logs;
  /** A site is stopped, on record: resolves when this server's gateway knows. */
  onStopped: (environment: EnvironmentName) => Promise<void>;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Deployments of an application: ask for them, watch them, undo them. */
export function serveDeployments(
  server: Server,
  {
    deployments,
    store,
    logs,
    applications,
    onStopped,
    readDeveloper,
    transactOnce,
    clock,
  }: DeploymentRouteParts,
): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  const ownDeployment = async ({
    params: { deployment },
    application: { application_uuid },
  }: FastifyRequest<{ Params: { deployment: string } }>): Promise<DeploymentRow> => {
    const row = isUuid(deployment) ? await store.find(application_uuid, deployment) : undefined;
    if (!row) throw noSuchDeployment();
    return row;
  };

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', ownApplication(server, readDeveloper, applications));

      const once = <T>(
        request: FastifyRequest,
        reply: FastifyReply,
        work: (through: Kysely<unknown>) => Promise<Done<T>>,
      ): Promise<T> => transactOnce(request, reply, keeperOf(request.developer), work);

      const ask = (
        request: FastifyRequest,
        reply: FastifyReply,
        asked: Parameters<Deployments['request']>[1],
      ): Promise<Deployment> =>
        once(request, reply, async (through) => {
          return accepted(request, await deployments.request(request.application, asked, through));
        });

      app.post('/deploy', { schema: deploySchema }, async (request, reply) => {
        if (!request.developer.verified) throw new Refusal(403, 'unverified', messages.notVerified);
        return ask(request, reply, { action: 'deploy' });
      });

      app.post('/rollback', { schema: rollbackSchema }, async (request, reply) => {
        const { deployment_uuid: target } = readWhole(
          rollbackFields,
          fieldsAmong(rollbackFields, request.body),
        );
        return ask(request, reply, { action: 'rollback', target });
      });

      app.post('/restart', { schema: restartSchema }, async (request, reply) =>
        ask(request, reply, { action: 'restart' }),
      );

      app.post('/start', { schema: startSchema }, async (request, reply) =>
        ask(request, reply, { action: 'start' }),
      );

      app.post('/stop', { schema: stopSchema }, async (request, reply) =>
        once(request, reply, async (through) => {
          const { application } = request;
          await deployments.stop(application, through);
          const { application_uuid } = application;
          const after = () => onStopped(application);
          return { status: 200, body: { application_uuid, status: 'stopped' as const }, after };
        }),
      );

      app.get('/logs', { schema: siteLogSchema }, async (request, reply) => {
        const { lines } = readQuery(siteLogQuery, request.query);
        if (wantsEvents(request)) return followSite(request, reply);
        return asText(reply, await logs.read.newest(request.application.environment_id, lines));
      });

      app.get('/logs/stream', { schema: siteLogStreamSchema }, async (request, reply) =>
        followSite(request, reply),
      );

      app.get('/deployments', { schema: listSchema }, async (request) => {
        const { application_uuid } = request.application;
        const { page, limit, offset } = readPage(request.query);
        const { deployments: rows, total } = await store.list(application_uuid, { limit, offset });
        return { deployments: rows.map((row) => present(request, row)), total, page, limit };
      });

      app.get('/deployments/:deployment', { schema: readSchema }, async (request) =>
        present(request, await ownDeployment(request)),
      );

      app.get('/deployments/:deployment/logs', { schema: logSchema }, async (request, reply) => {
        const deployment = await ownDeployment(request);
        if (wantsEvents(request)) return followDeployment(deployment, request, reply);
        return asText(reply, Readable.from(logs.read.read(deployment.deployment_uuid)));
      });

      app.get('/deployments/:deployment/logs/stream', { schema: logStreamSchema }, async (request, reply) =>
        followDeployment(await ownDeployment(request), request, reply),
      );

      app.post('/deployments/:deployment/cancel', { schema: cancelSchema }, async (request, reply) => {
        const { deployment_uuid } = await ownDeployment(request);
        return once(request, reply, async (through) => {
          const cancelled = await deployments.cancel(request.application, deployment_uuid, through);
          if (!cancelled) throw noSuchDeployment();
          return { status: 202, body: present(request, cancelled) };
        });
      });

      const followSite = (request: FastifyRequest, reply: FastifyReply) => {
        const { environment_id: id } = request.application;
        const following = { after: lastEventId(request), newest: FIRST_TOLD };
        return asEvents(request, reply, async () => {
          const lines = await logs.read.follow(id, following);
          return (signal) => eventsOf(lines(signal));
        });
      };

      const followDeployment = (
        { application_uuid: applicationId, deployment_uuid: id }: DeploymentRow,
        request: FastifyRequest,
        reply: FastifyReply,
      ) => {
        if (request.headers['last-event-id'] === THE_END) return reply.code(204).send(null);
        const find = () => store.find(applicationId, id);
        const following = { after: lastEventId(request), isOver: async () => isLongOver(await find()) };
        return asEvents(request, reply, async () => {
          const lines = await logs.read.follow(id, following);
          return async function* (signal) {
            yield* eventsOf(lines(signal));
            if (signal.aborted) return;
            const status = (await find())?.status ?? 'cancelled';
            yield event(JSON.stringify({ status }), { name: 'end', id: THE_END });
          };
        });
      };

      /** The last words are written after the end is on record, unless the server they were on is gone. */
      const isLongOver = (row: DeploymentRow | undefined): boolean => {
        const last = row?.history.at(-1);
        if (!row || !last) return true;
        const since = clock().epochMilliseconds - Date.parse(last.at);
        return isFinal(row.status) && since > LAST_WORDS_MS;
      };

      const asEvents = (
        { application, developer }: FastifyRequest,
        reply: FastifyReply,
        begin: () => Promise<Events>,
      ) =>
        server.streams.open(
          reply,
          [
            { key: `logs of ${application.application_uuid}`, most: MOST_FOLLOWERS },
            { key: `logs for ${developer.accountId}`, most: MOST_FOLLOWED },
          ],
          { longestMs: LONGEST_STREAM_MS },
          begin,
        );
    },
    { prefix: PREFIX },
  );
}

function accepted(request: FastifyRequest, deployment: DeploymentRow): Done<Deployment> {
  const location = `/api/v1/applications/${deployment.application_uuid}/deployments/${deployment.deployment_uuid}`;
  return { status: 202, headers: { location }, body: present(request, deployment) };
}

/** Lines that come together are written together. */
async function* eventsOf(lines: AsyncIterable<LoggedLine[]>): AsyncGenerator<string> {
  for await (const some of lines) yield some.map(({ id, line }) => event(line, { id })).join('');
}

function asText(reply: FastifyReply, text: string | Readable) {
  return reply.type('text/plain; charset=utf-8').send(text);
}

function present({ headers }: FastifyRequest, row: DeploymentRow): Deployment {
  const {
    attempts: _attempts,
    cancel_requested: _cancel,
    release_id: _release,
    environment_id: _environment,
    reason: ending,
    waits_for: waitsFor,
    ...shown
  } = row;
  const why = ending ?? (waitsFor ? reason(waitsFor) : null);
  return {
    ...shown,
    reason: why && say(why, preferredLanguage(headers['accept-language'])),
    reason_code: why?.code ?? null,
    requested_at: row.history[0]?.at ?? '',
    ended_at: isFinal(row.status) ? (row.history.at(-1)?.at ?? null) : null,
  };
}

function wantsEvents({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').toLowerCase().includes(EVENT_STREAM);
}

/** Where a client lost a stream; from the first line when it says nothing we gave it. */
function lastEventId({ headers }: FastifyRequest): number {
  const text = String(headers['last-event-id'] ?? '');
  return /^\d{1,16}$/.test(text) ? Number(text) : 0;
}

function noSuchDeployment(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchDeployment);
}
