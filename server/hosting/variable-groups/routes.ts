import type { FastifyRequest } from 'fastify';
import { isRestricted, tokenRestricted } from '../../identity/access-tokens/scopes.ts';
import { authenticateDeveloper, type DeveloperReader, keyOwnerOf } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readGiven, readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import { authorizeApplication } from '../applications/access.ts';
import { makeChange, recordAbout, variableChanges } from '../applications/changes.ts';
import { PREFIX as APPLICATIONS } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { presentDefinition, presentVariables } from '../applications/variable-routes.ts';
import {
  changeSchema,
  createSchema,
  type ListedVariableGroup,
  linkSchema,
  listSchema,
  readSchema,
  removeSchema,
  sharedSchemas,
  unlinkSchema,
  type VariableGroup,
} from './contract.ts';
import { changedFields, groupFields } from './fields.ts';
import { messages } from './messages.ts';
import type { Group, GroupWithVariables, OnChanged, VariableGroupStore } from './store.ts';

const PREFIX = '/api/v1/variable-groups';

export interface VariableGroupParts {
  store: VariableGroupStore;
  applications: Pick<ApplicationStore, 'find' | 'variableLayers'>;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Serves groups of variables that applications share, and their links to applications. */
export function serveVariableGroups(server: Server, parts: VariableGroupParts): void {
  const { applications, readDeveloper } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authenticateDeveloper(server, readDeveloper));
      app.addHook('onRequest', async ({ developer }) => refuseRestricted(developer));
      serveGroups(app, parts);
    },
    { prefix: PREFIX },
  );
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));
      serveLinks(app, parts);
    },
    { prefix: `${APPLICATIONS}/:uuid/variable-groups` },
  );
}

function serveGroups(app: App, { store, transactOnce, clock }: VariableGroupParts): void {
  app.get('', { schema: listSchema }, async ({ developer }) => ({
    variable_groups: (await store.list(developer.accountId)).map(presentListed),
  }));

  app.post('', { schema: createSchema }, async (request, reply) => {
    const { body, developer } = request;
    return transactOnce(request, reply, keyOwnerOf(developer), async (through) => {
      const requested = readWhole(groupFields, fieldsAmong(groupFields, body));
      const group = await store.add(developer.accountId, requested, clock(), through);
      const location = `${PREFIX}/${group.name}`;
      return { status: 201, headers: { location }, body: present(group), secret: true };
    });
  });

  app.get('/:group', { schema: readSchema }, async ({ developer, params }) =>
    present((await store.find(developer.accountId, params.group)) ?? refuseUnknown()),
  );

  app.patch('/:group', { schema: changeSchema }, async (request) => {
    const { developer, params, body } = request;
    const now = clock();
    const changes = readGiven(changedFields, fieldsAmong(changedFields, body));
    const changed = await store.change(developer.accountId, params.group, changes, now, (...linked) =>
      recordInEach(request, changes.variables ?? {}, now, linked),
    );
    return present(changed ?? refuseUnknown());
  });

  app.delete('/:group', { schema: removeSchema }, async (request, reply) => {
    const { developer, params } = request;
    const now = clock();
    const isRemoved = await store.remove(developer.accountId, params.group, now, (...linked) =>
      recordInEach(request, undefined, now, linked),
    );
    if (!isRemoved) refuseUnknown();
    return reply.code(204).send(null);
  });
}

/** Records a change of a group in the history of each application to which the group is linked. */
async function recordInEach(
  request: FastifyRequest,
  variables: Readonly<Record<string, unknown>> | undefined,
  now: Temporal.Instant,
  [transaction, applicationIds, former]: Parameters<OnChanged>,
): Promise<void> {
  const { group: subject } = request.params as { group: string };
  const changes = variables && variableChanges(former, variables);
  for (const applicationId of applicationIds) {
    await recordAbout(transaction, request, { applicationId, subject, ...(changes && { changes }) }, now);
  }
}

function serveLinks(app: App, parts: VariableGroupParts): void {
  const { store, applications, clock } = parts;
  app.put('/:group', { schema: linkSchema }, async (request, reply) => {
    const { developer, application, params } = request;
    refuseRestricted(developer);
    await makeChange(parts, request, reply, async (transaction) => {
      if (!(await store.link(application, params.group, clock(), transaction))) refuseUnknown();
      return { status: 200, body: null, history: { subject: params.group } };
    });
    const changed = (await applications.find(application.application_uuid)) ?? application;
    return presentVariables(changed, await applications.variableLayers(application.environment_id));
  });

  app.delete('/:group', { schema: unlinkSchema }, (request, reply) =>
    makeChange(parts, request, reply, async (transaction) => {
      const { application, params } = request;
      const isUnlinked = await store.unlink(application.application_uuid, params.group, clock(), transaction);
      if (!isUnlinked) refuseUnknown();
      return { status: 204, body: null, history: { subject: params.group } };
    }),
  );
}

/** Refuses tokens for one application: a link would show them the values of any group of their user. */
function refuseRestricted({ grant }: Pick<FastifyRequest['developer'], 'grant'>): void {
  if (grant && isRestricted(grant)) throw tokenRestricted();
}

function presentListed({
  group_id,
  name,
  variable_names,
  applications,
  ...times
}: Group): ListedVariableGroup {
  return { group_id, name, variable_names, applications, ...presentTimes(times) };
}

function present({ group_id, name, variables, applications, ...times }: GroupWithVariables): VariableGroup {
  return {
    group_id,
    name,
    variables: Object.fromEntries(variables.map((one) => [one.name, presentDefinition(one)])),
    applications,
    ...presentTimes(times),
  };
}

function presentTimes({ created_at, last_updated }: Pick<Group, 'created_at' | 'last_updated'>) {
  return { created_at: created_at.toISOString(), last_updated: last_updated.toISOString() };
}

function refuseUnknown(): never {
  throw new Refusal(404, 'not_found', messages.noSuchGroup);
}
