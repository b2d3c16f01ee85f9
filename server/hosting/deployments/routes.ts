import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import { FieldProblem, fieldsOf } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { readPage } from '../../kernel/paging.ts';
import { invalidField, Refusal } from '../../kernel/refusal.ts';
import { ownApplication } from '../applications/access.ts';
import type { ApplicationStore } from '../applications/store.ts';
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
import { event, eventStream } from './event-stream.ts';
import { isFinal } from './lifecycle.ts';
import type { DeploymentLogs } from './log.ts';
import { messages } from './messages.ts';
import type { SiteLogs } from './site-log.ts';
import type { DeploymentRow, DeploymentStore } from './store.ts';

const PREFIX = '/api/v1/applications/:uuid';
const EVENT_STREAM = 'text/event-stream';
const DEFAULT_LINES = 500;
const MOST_LINES = 10_000;
/** The id of a stream's last event. */
const THE_END = 'end';

export interface DeploymentRouteParts {
  deployments: Deployments;
  store: DeploymentStore;
  logs: DeploymentLogs;
  siteLogs: SiteLogs;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
}

/** Deployments of an application: ask for them, watch them, undo them. */
export function serveDeployments(
  server: Server,
  { deployments, store, logs, siteLogs, applications, readDeveloper }: DeploymentRouteParts,
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
      const closing = new AbortController();
      // Streams never end by themselves; the server waits for every answer before it closes.
      app.addHook('preClose', async () => closing.abort());
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', ownApplication(server, readDeveloper, applications));

      app.post('/deploy', { schema: deploySchema }, async (request, reply) => {
        const { application, developer } = request;
        if (!developer.verified) throw new Refusal(403, 'unverified', messages.notVerified);
        return accept(reply, await deployments.request(application.application_uuid, 'deploy'));
      });

      app.post('/rollback', { schema: rollbackSchema }, async (request, reply) => {
        const { application_uuid } = request.application;
        const target = readTarget(request.body);
        return accept(reply, await deployments.request(application_uuid, 'rollback', target));
      });

      app.post('/restart', { schema: restartSchema }, async (request, reply) => {
        const { application_uuid } = request.application;
        return accept(reply, await deployments.request(application_uuid, 'restart'));
      });

      app.post('/start', { schema: startSchema }, async (request, reply) => {
        const { application_uuid } = request.application;
        return accept(reply, await deployments.request(application_uuid, 'start'));
      });

      app.post('/stop', { schema: stopSchema }, async (request) => {
        const { application } = request;
        await deployments.stop(application);
        return { application_uuid: application.application_uuid, status: 'stopped' as const };
      });

      app.get('/logs', { schema: siteLogSchema }, async (request, reply) => {
        const lines = readLines(request.query.lines);
        if (wantsEvents(request)) return followSite(request, reply);
        return asText(reply, await siteLogs.tail(request.application.application_uuid, lines));
      });

      app.get('/logs/stream', { schema: siteLogStreamSchema }, async (request, reply) =>
        followSite(request, reply),
      );

      app.get('/deployments', { schema: listSchema }, async (request) => {
        const { application_uuid } = request.application;
        const { page, limit, offset } = readPage(request.query);
        const { deployments: rows, total } = await store.list(application_uuid, { limit, offset });
        return { deployments: rows.map(present), total, page, limit };
      });

      app.get('/deployments/:deployment', { schema: readSchema }, async (request) =>
        present(await ownDeployment(request)),
      );

      app.get('/deployments/:deployment/logs', { schema: logSchema }, async (request, reply) => {
        const deployment = await ownDeployment(request);
        if (wantsEvents(request)) return followDeployment(deployment, request, reply);
        return asText(reply, await logs.read(deployment.application_uuid, deployment.deployment_uuid));
      });

      app.get('/deployments/:deployment/logs/stream', { schema: logStreamSchema }, async (request, reply) =>
        followDeployment(await ownDeployment(request), request, reply),
      );

      app.post('/deployments/:deployment/cancel', { schema: cancelSchema }, async (request, reply) => {
        const { application_uuid, deployment_uuid } = await ownDeployment(request);
        const row = await deployments.cancel(application_uuid, deployment_uuid);
        if (!row) throw noSuchDeployment();
        return reply.code(202).send(present(row));
      });

      const followSite = (request: FastifyRequest, reply: FastifyReply) => {
        const after = lastEventId(request);
        return asEvents(reply, async function* (signal) {
          const lines = siteLogs.follow(request.application.application_uuid, after, signal);
          for await (const { id, line } of lines) yield event(line, { id });
        });
      };

      const followDeployment = (
        { application_uuid: applicationId, deployment_uuid: id }: DeploymentRow,
        request: FastifyRequest,
        reply: FastifyReply,
      ) => {
        if (request.headers['last-event-id'] === THE_END) return reply.code(204).send(null);
        const status = async () => (await store.find(applicationId, id))?.status ?? 'cancelled';
        const after = lastEventId(request);
        return asEvents(reply, async function* (signal) {
          const isOver = async () => isFinal(await status());
          for await (const { id: number, line } of logs.follow(applicationId, id, after, isOver, signal)) {
            yield event(line, { id: number });
          }
          if (signal.aborted) return;
          yield event(JSON.stringify({ status: await status() }), { name: 'end', id: THE_END });
        });
      };

      const asEvents = (reply: FastifyReply, events: (signal: AbortSignal) => AsyncGenerator<string>) =>
        reply
          .header('cache-control', 'no-cache, no-transform')
          .header('x-accel-buffering', 'no')
          .type(EVENT_STREAM)
          .send(eventStream(events, closing.signal));
    },
    { prefix: PREFIX },
  );
}

function accept(reply: FastifyReply, row: DeploymentRow) {
  const at = `/api/v1/applications/${row.application_uuid}/deployments/${row.deployment_uuid}`;
  return reply.code(202).header('location', at).send(present(row));
}

function asText(reply: FastifyReply, text: string) {
  return reply.type('text/plain; charset=utf-8').send(text);
}

function present(row: DeploymentRow): Deployment {
  const { attempts: _attempts, cancel_requested: _cancel, release_id: _release, ...shown } = row;
  return {
    ...shown,
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

function readTarget(body: unknown): string {
  const { deployment_uuid: target } = fieldsOf(body);
  if (target === undefined) throw new FieldProblem('deployment_uuid', { kind: 'missing' });
  if (typeof target !== 'string' || !isUuid(target)) {
    throw invalidField('deployment_uuid', messages.deploymentUuid);
  }
  return target;
}

function readLines(value: unknown): number {
  if (value === undefined) return DEFAULT_LINES;
  const lines = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (lines < 1 || lines > MOST_LINES) throw invalidField('lines', messages.lines);
  return lines;
}

function noSuchDeployment(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchDeployment);
}
