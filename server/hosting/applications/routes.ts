import { authenticateDeveloper, type DeveloperReader, keyOwnerOf } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { readGiven, readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { readPage } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween, type FieldChanges } from '../../kernel/writes/history.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import type { Role } from '../model/people.ts';
import { authorizeApplication, noSuchApplication, requireRoles } from './access.ts';
import { siteAddress } from './address.ts';
import { makeChange, recordAbout, variableChanges } from './changes.ts';
import {
  type ApplicationRecord,
  changeEnvironmentSchema,
  changeSchema,
  createSchema,
  deployKeySchema,
  listSchema,
  listVariableNamesSchema,
  readEnvironmentSchema,
  readHookSchema,
  readSchema,
  removeSchema,
  renewHookSchema,
  sharedSchemas,
} from './contract.ts';
import { DotenvText, readVariableChanges } from './environment.ts';
import { applicationFields, changedFields, type SettingsPolicy } from './fields.ts';
import { messages } from './messages.ts';
import { requireRepository, settleSource, sourceKind } from './source.ts';
import type { Application, ApplicationStore } from './store.ts';
import { variableSchemas } from './variable-contract.ts';
import { serveVariableDefinitions } from './variable-routes.ts';

export const PREFIX = '/api/v1/applications';

export interface ApplicationParts {
  config: Pick<
    Config,
    | 'publicUrl'
    | 'appsDomain'
    | 'appsPort'
    | 'appsGitProtocols'
    | 'dataDir'
    | 'appsAllowPrivateHosts'
    | 'appsNamedImages'
    | 'appsRegistry'
    | 'appsResponseSeconds'
    | 'appsBodyMb'
  >;
  store: ApplicationStore;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
  /**
   * Called when an application's address has changed or is gone; resolves when this server's gateway has the change.
   */
  onMoved: (application: Application) => Promise<void>;
}

/** Serves applications, their variables and keys: `/api/v1/applications`. */
export function serveApplications(server: Server, parts: ApplicationParts): void {
  const { store, readDeveloper } = parts;
  requireRoles(server, `${PREFIX}/:uuid`);
  for (const schema of [...sharedSchemas, ...variableSchemas]) server.app.addSchema(schema);

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authenticateDeveloper(server, readDeveloper));
      serveApplicationList(app, parts);
    },
    { prefix: PREFIX },
  );

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, store));
      serveApplication(app, parts);
      serveVariables(app, parts);
      serveVariableDefinitions(app, parts);
      serveDeployKey(app, parts);
      servePushHook(app, parts);
    },
    { prefix: `${PREFIX}/:uuid` },
  );
}

function serveApplicationList(app: App, { config, store, transactOnce, clock }: ApplicationParts): void {
  const fields = applicationFields(settingsPolicy(config));

  app.post('', { schema: createSchema }, (request, reply) => {
    const { body, developer } = request;
    const owner = { id: developer.accountId, verified: developer.verified };
    return transactOnce(request, reply, keyOwnerOf(developer), async (through) => {
      const values = settleSource(readWhole(fields, fieldsAmong(fields, body)));
      const application = await inTransaction(through, async (transaction) => {
        const added = await store.add(owner, values, clock(), transaction);
        const { application_uuid: applicationId } = added;
        await recordAbout(transaction, request, { applicationId }, clock());
        return added;
      });
      const location = `${PREFIX}/${application.application_uuid}`;
      return { status: 201, headers: { location }, body: present(config, application, 'owner') };
    });
  });

  app.get('', { schema: listSchema }, async ({ query, developer }) => {
    const { page, limit, offset } = readPage(query);
    const { applications, total } = await store.list(developer.accountId, { limit, offset });
    return {
      applications: applications.map((application) => present(config, application, application.role)),
      total,
      page,
      limit,
    };
  });
}

function serveApplication(app: App, parts: ApplicationParts): void {
  const { config, store, clock, onMoved } = parts;
  const fields = changedFields(settingsPolicy(config));

  app.get('', { schema: readSchema }, async ({ application, role }) => present(config, application, role));

  app.patch('', { schema: changeSchema }, async (request, reply) => {
    const { application, role, body } = request;
    const changes = settleSource(readGiven(fields, fieldsAmong(fields, body)), application);
    return makeChange(parts, request, reply, async (transaction) => {
      const uuid = application.application_uuid;
      const changed = found(await store.change(uuid, changes, clock(), transaction));
      return {
        status: 200,
        body: present(config, changed, role),
        history: { changes: settingsChanges(Object.keys(changes), application, changed) },
        after: async () => {
          if (changed.subdomain !== application.subdomain) await onMoved(changed);
        },
      };
    });
  });

  app.delete('', { schema: removeSchema }, async ({ application }, reply) => {
    if (!(await store.remove(application.application_uuid))) throw noSuchApplication();
    await onMoved(application);
    return reply.code(204).send(null);
  });
}

function serveVariables(app: App, parts: ApplicationParts): void {
  const { store, clock } = parts;
  app.get('/env', { schema: readEnvironmentSchema }, async ({ application }) => ({
    application_uuid: application.application_uuid,
    env: await store.variables(application.environment_id),
    last_updated: application.last_updated,
  }));

  app.get('/env/names', { schema: listVariableNamesSchema }, async ({ application }) => ({
    names: await store.variableNames(application.environment_id),
  }));

  app.register(async (env: App) => {
    env.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) =>
      done(null, new DotenvText(body as string)),
    );
    env.addContentTypeParser('*', (_request, _payload, done) =>
      done(new Refusal(415, 'wrong_content_type', messages.environmentType)),
    );
    env.patch('/env', { schema: changeEnvironmentSchema }, async (request, reply) => {
      const { application } = request;
      const changes = readVariableChanges(request.body);
      return makeChange(parts, request, reply, async (transaction) => {
        const changed = found(await store.changeVariables(application, changes, clock(), transaction));
        const { former, ...body } = changed;
        return {
          status: 200,
          body: { application_uuid: application.application_uuid, ...body },
          history: { changes: variableChanges(former, changes) },
        };
      });
    });
  });
}

function serveDeployKey(app: App, parts: ApplicationParts): void {
  const { store } = parts;
  app.post('/deploy-key', { schema: deployKeySchema }, async (request, reply) => {
    const { application } = request;
    requireRepository(application);
    const uuid = application.application_uuid;
    const comment = `simcha-${application.subdomain}`;
    return makeChange(parts, request, reply, async (transaction) => {
      const key = found(await store.makeDeployKey(uuid, comment, transaction));
      return { status: 201, body: { application_uuid: uuid, deploy_key: key }, history: {} };
    });
  });
}

function servePushHook(app: App, parts: ApplicationParts): void {
  const { config, store } = parts;
  const hookAddress = (uuid: string, secret: string) => ({
    application_uuid: uuid,
    url: `${config.publicUrl}/api/v1/hooks/${uuid}`,
    secret,
  });

  app.get('/hook', { schema: readHookSchema }, async ({ application }) => {
    requireRepository(application);
    const uuid = application.application_uuid;
    return hookAddress(uuid, found(await store.hookSecret(uuid)));
  });

  app.post('/hook', { schema: renewHookSchema }, async (request, reply) => {
    const { application } = request;
    requireRepository(application);
    const uuid = application.application_uuid;
    return makeChange(parts, request, reply, async (transaction) => {
      const secret = found(await store.makeHookSecret(uuid, transaction));
      return { status: 201, body: hookAddress(uuid, secret), secret: true, history: {} };
    });
  });
}

/** Rules for settings of applications, from the settings of this server. */
function settingsPolicy({
  appsGitProtocols: protocols,
  appsAllowPrivateHosts: allowPrivateHosts,
  appsNamedImages: namedImages,
  appsRegistry,
  appsResponseSeconds: mostResponseSeconds,
  appsBodyMb,
  dataDir,
}: ApplicationParts['config']): SettingsPolicy {
  const largest = appsBodyMb > 0 ? { mostBodyMb: appsBodyMb } : {};
  const images = { namedImages, ownImages: appsRegistry?.prefix };
  return { protocols, allowPrivateHosts, ...images, dataDir, mostResponseSeconds, ...largest };
}

function present(config: ApplicationParts['config'], row: Application, role: Role): ApplicationRecord {
  const {
    owner_id: _owner,
    environment_id: _environment,
    preview: _preview,
    processes: _processes,
    volumes: _volumes,
    status,
    ...application
  } = row;
  return {
    ...application,
    role,
    source: sourceKind(row),
    // Production environments never fall asleep, unlike previews.
    status: status === 'asleep' ? 'stopped' : status,
    domain: siteAddress(config, application.subdomain),
  };
}

/**
 * Changes of the settings `names`. A repository or a registry's user that is set again counts as changed: the password
 * may be another.
 */
function settingsChanges(names: readonly string[], before: Application, after: Application): FieldChanges {
  const pick = (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
  const setAgain = (['repository', 'registry_user'] as const).filter(
    (name) => names.includes(name) && (before[name] !== null || after[name] !== null),
  );
  return {
    ...Object.fromEntries(setAgain.map((name) => [name, { from: before[name], to: after[name] }])),
    ...changesBetween(pick(before), pick(after)),
  };
}

/** Throws a 404 if the application was deleted during the request. */
function found<T>(value: T | undefined): T {
  if (value === undefined) throw noSuchApplication();
  return value;
}
