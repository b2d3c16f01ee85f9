import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { authenticateDeveloper, type DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { type Fields, fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { readPage } from '../../kernel/paging.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Done, TransactOnce } from '../../kernel/writes/idempotency.ts';
import { authorizeApplication, authorizeSource, createRecheck } from '../applications/access.ts';
import { makeChange, newFields, recordAbout } from '../applications/changes.ts';
import type { ApplicationStore, EnvironmentName } from '../applications/store.ts';
import { createLogAnswers, type LogAnswers, wantsEvents } from '../logs/answers.ts';
import { colorsQuery } from '../logs/contract.ts';
import type { Logs } from '../logs/logs.ts';
import type { DeploymentRow } from '../model/deployment-rows.ts';
import { presentDeployment } from '../model/deployment-view.ts';
import { isFinal } from '../model/lifecycle.ts';
import {
  cancelSchema,
  type Deployment,
  deploySchema,
  lastSchema,
  listSchema,
  logSchema,
  logStreamSchema,
  promoteSchema,
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
import {
  deploymentQuery,
  readDeploymentName,
  readRef,
  readReleaseSource,
  rollbackFields,
  siteLogQuery,
} from './fields.ts';
import { messages } from './messages.ts';
import type { DeploymentStore, ReleaseSource } from './store.ts';
import { DeploymentWaits } from './waits.ts';

const PREFIX = '/api/v1/applications/:uuid';

export interface DeploymentRouteParts {
  deployments: Deployments;
  store: DeploymentStore;
  logs: Logs;
  /**
   * Called after a site was recorded as stopped in the database. Resolves when this server's gateway knows that the
   * site is stopped.
   */
  onStopped: (environment: EnvironmentName) => Promise<void>;
  applications: Pick<ApplicationStore, 'find' | 'roleIn'>;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Serves the routes of an application's deployments: request, watch, cancel and roll back. */
export function serveDeployments(server: Server, parts: DeploymentRouteParts): void {
  const { store, logs, applications, readDeveloper, clock } = parts;
  const waits = new DeploymentWaits(server, store);
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authenticateDeveloper(server, readDeveloper));
      app.get('/last', { schema: lastSchema }, async (request) => {
        const rows = await store.lastOfEach(request.developer.accountId);
        return { deployments: rows.map((row) => present(request, row)) };
      });
    },
    { prefix: '/api/v1/deployments' },
  );
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));
      const recheck = createRecheck(readDeveloper, applications);
      const answers = createLogAnswers({ server, logs, recheck, clock });
      serveRequests(app, parts);
      serveStop(app, parts);
      serveSiteLog(app, answers);
      serveDeploymentList(app, parts, waits);
      serveDeploymentLog(app, parts, answers);
      serveCancel(app, parts);
    },
    { prefix: PREFIX },
  );
}

/** Serves the routes that request a new deployment. */
function serveRequests(app: App, parts: DeploymentRouteParts): void {
  const { deployments } = parts;
  const ask = (
    request: FastifyRequest,
    reply: FastifyReply,
    requested: Parameters<Deployments['request']>[1],
  ): Promise<Deployment> =>
    makeChange(parts, request, reply, async (transaction) => {
      const row = await deployments.request(request.application, requested, transaction);
      const { ref, target, source } = requested;
      const changes = newFields({
        ...(ref && { [ref.type]: ref.name }),
        application: source?.application?.name,
        deployment_uuid: target ?? source?.deployment,
        preview: source?.preview,
      });
      if (source?.application) await recordAtSource(transaction, request, source, row, parts.clock());
      const isNamed = Object.keys(changes).length > 0;
      const history = { subject: row.deployment_uuid, ...(isNamed && { changes }) };
      return { ...accepted(request, row), history };
    });

  app.post('/deploy', { schema: deploySchema }, async (request, reply) => {
    if (!request.developer.verified) throw new Refusal(403, 'unverified', messages.notVerified);
    const ref = readRef(request.body);
    return ask(request, reply, { action: 'deploy', ...(ref && { ref }) });
  });

  app.post('/rollback', { schema: rollbackSchema }, async (request, reply) => {
    const given = fieldsAmong(rollbackFields, request.body ?? {});
    const { deployment_uuid: target } = readWhole(rollbackFields, given);
    return ask(request, reply, { action: 'rollback', ...(target !== null && { target }) });
  });

  app.post('/promote', { schema: promoteSchema }, async (request, reply) => {
    const { application: named, ...source } = readReleaseSource(request.body);
    if (named === undefined) return ask(request, reply, { action: 'promote', source });
    if (!request.developer.verified) throw new Refusal(403, 'unverified', messages.notVerified);
    const other = await authorizeSource(parts.applications, request, named);
    const application = { id: other.application_uuid, name: other.name };
    return ask(request, reply, { action: 'promote', source: { ...source, application } });
  });

  app.post('/restart', { schema: restartSchema }, async (request, reply) => {
    refuseFields(request.body);
    return ask(request, reply, { action: 'restart' });
  });

  app.post('/start', { schema: startSchema }, async (request, reply) => {
    refuseFields(request.body);
    return ask(request, reply, { action: 'start' });
  });
}

/** Adds a line about a promotion to the history of the other application whose release is promoted. */
function recordAtSource(
  transaction: Kysely<unknown>,
  request: FastifyRequest,
  { application, preview, deployment }: ReleaseSource,
  row: DeploymentRow,
  now: Temporal.Instant,
): Promise<void> {
  const { id: applicationId = '' } = application ?? {};
  const changes = newFields({
    to_application: request.application.name,
    commit: row.commit_hash,
    deployment_uuid: deployment,
  });
  return recordAbout(transaction, request, { applicationId, preview: preview ?? null, changes }, now);
}

function serveStop(app: App, parts: DeploymentRouteParts): void {
  const { deployments, onStopped } = parts;
  app.post('/stop', { schema: stopSchema }, async (request, reply) => {
    refuseFields(request.body);
    const { application } = request;
    return makeChange(parts, request, reply, async (transaction) => {
      await deployments.stop(application, transaction);
      const { application_uuid } = application;
      const after = () => onStopped(application);
      return { status: 200, body: { application_uuid, status: 'stopped' as const }, history: {}, after };
    });
  });
}

function serveSiteLog(app: App, answers: LogAnswers): void {
  app.get('/logs', { schema: siteLogSchema }, async (request, reply) => {
    const query = readQuery({ ...siteLogQuery, ...colorsQuery }, request.query);
    return answers.newest(request, reply, request.application.environment_id, query);
  });

  app.get('/logs/stream', { schema: siteLogStreamSchema }, async (request, reply) => {
    const query = readQuery({ ...siteLogQuery, ...colorsQuery }, request.query);
    return answers.followNewest(request, reply, request.application.environment_id, query);
  });
}

function serveDeploymentList(app: App, { store }: DeploymentRouteParts, waits: DeploymentWaits): void {
  app.get('/deployments', { schema: listSchema }, async (request) => {
    const { environment_id } = request.application;
    const { page, limit, offset } = readPage(request.query);
    const { deployments: rows, total } = await store.list(environment_id, { limit, offset });
    return { deployments: rows.map((row) => present(request, row)), total, page, limit };
  });

  app.get('/deployments/:deployment', { schema: readSchema }, async (request, reply) => {
    const { wait } = readQuery(deploymentQuery, request.query as Fields);
    const row = await findDeployment(store, request);
    const newest = wait > 0 ? await waits.untilEnded(request, reply, row, wait) : row;
    if (!newest) throw noSuchDeployment();
    return present(request, newest);
  });
}

function serveDeploymentLog(app: App, { store }: DeploymentRouteParts, answers: LogAnswers): void {
  const follow = (
    { application_uuid: applicationId, deployment_uuid: id }: DeploymentRow,
    request: FastifyRequest,
    reply: FastifyReply,
  ) =>
    answers.followToEnd(request, reply, id, {
      ...readQuery(colorsQuery, request.query as Fields),
      find: async () => {
        const row = await store.find(applicationId, id);
        const endedAt = row && isFinal(row.status) ? row.history.at(-1)?.at : undefined;
        return row && { status: row.status, endedAt: endedAt ?? null };
      },
    });

  app.get('/deployments/:deployment/logs', { schema: logSchema }, async (request, reply) => {
    const deployment = await findDeployment(store, request);
    if (wantsEvents(request)) return follow(deployment, request, reply);
    return answers.whole(reply, deployment.deployment_uuid, readQuery(colorsQuery, request.query));
  });

  app.get('/deployments/:deployment/logs/stream', { schema: logStreamSchema }, async (request, reply) =>
    follow(await findDeployment(store, request), request, reply),
  );
}

function serveCancel(app: App, parts: DeploymentRouteParts): void {
  const { deployments, store } = parts;
  app.post('/deployments/:deployment/cancel', { schema: cancelSchema }, async (request, reply) => {
    const { deployment_uuid } = await findDeployment(store, request);
    refuseFields(request.body);
    return makeChange(parts, request, reply, async (transaction) => {
      const cancelled = await deployments.cancel(request.application, deployment_uuid, transaction);
      if (!cancelled) throw noSuchDeployment();
      return { status: 202, body: present(request, cancelled), history: { subject: deployment_uuid } };
    });
  });
}

/** Deployment that a request names, of the request's application. Throws a 404 if there is none. */
async function findDeployment(
  store: DeploymentStore,
  { params, application }: FastifyRequest<{ Params: { deployment: string } }>,
): Promise<DeploymentRow> {
  const { deployment } = params;
  const name = readDeploymentName(deployment);
  const row = isUuid(deployment)
    ? await store.find(application.application_uuid, deployment)
    : name && (await store.findNamed(application.environment_id, name));
  if (!row) throw noSuchDeployment();
  return row;
}

/** Refuses fields in a request's body if the route takes none; they would otherwise be ignored silently. */
function refuseFields(body: unknown): void {
  if (body !== undefined && body !== null) fieldsAmong({}, body);
}

function accepted(request: FastifyRequest, deployment: DeploymentRow): Done<Deployment> {
  const location = `/api/v1/applications/${deployment.application_uuid}/deployments/${deployment.deployment_uuid}`;
  return { status: 202, headers: { location }, body: present(request, deployment) };
}

function present({ headers }: FastifyRequest, row: DeploymentRow): Deployment {
  return presentDeployment(row, preferredLanguage(headers['accept-language']));
}

function noSuchDeployment(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchDeployment);
}
