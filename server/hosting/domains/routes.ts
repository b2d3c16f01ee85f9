import type { FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { FieldProblem, fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import { authorizeApplication, noSuchApplication } from '../applications/access.ts';
import { addressAt } from '../applications/address.ts';
import { makeChange } from '../applications/changes.ts';
import { PREFIX } from '../applications/routes.ts';
import type { Application, ApplicationStore } from '../applications/store.ts';
import { parseHostName } from '../gateway/hosts.ts';
import type { RoutingTable } from '../gateway/routing-table.ts';
import { proofOf } from './check.ts';
import {
  addSchema,
  askSchema,
  changeSchema,
  checkSchema,
  type DomainRecord,
  listSchema,
  readSchema,
  removeSchema,
  sharedSchemas,
} from './contract.ts';
import { askQuery, domainChanges, domainFields } from './fields.ts';
import { judgeHostname } from './hostname.ts';
import { checkProblems, messages } from './messages.ts';
import type { Proving } from './proving.ts';
import type { Domain, DomainStore } from './store.ts';

export interface DomainParts {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'appsPort' | 'platformHosts'>;
  store: DomainStore;
  proving: Proving;
  /**
   * Called when a domain's proof may have changed. Resolves when this server's gateway knows whether the domain is
   * proved now.
   */
  onProved: (environmentId: string) => Promise<void>;
  sites: Pick<RoutingTable, 'hasHost' | 'lookUp'>;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Serves an application's custom domains, and front proxies that ask whether a host is known. */
export function serveDomains(server: Server, parts: DomainParts): void {
  const { applications, readDeveloper } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));
      serveNewDomain(app, server, parts);
      serveDomainList(app, parts);
      serveRedirect(app, parts);
      serveCheck(app, server, parts);
      serveRemoval(app, parts);
    },
    { prefix: `${PREFIX}/:uuid/domains` },
  );
  serveAsk(server.app, parts);
}

function serveNewDomain(app: App, server: Server, parts: DomainParts): void {
  const { config, store, proving, onProved, clock } = parts;
  const fields = domainFields([...platformHosts(config), config.appsDomain]);

  app.post('', { schema: addSchema }, async (request, reply) => {
    const { application, developer } = request;
    const { hostname, redirect_to: redirectTo } = readWhole(fields, fieldsAmong(fields, request.body));
    await server.strictLimit(request, reply, `dns:${developer.accountId}`);
    const { application_uuid, environment_id } = application;
    const claim = await store.claim(environment_id, hostname);
    const finding = await proving.look(claim);
    const location = `${PREFIX}/${application_uuid}/domains/${hostname}`;
    return makeChange(parts, request, reply, async (transaction) => {
      const domain = await store.add(claim, redirectTo, clock(), transaction);
      if (!domain) throw noSuchApplication();
      // Another request may have stored a claim to this domain at the same time, with another token; the lookup says
      // nothing about that token.
      const isOurs = domain.token === claim.token;
      const checked = (isOurs && (await proving.settle(domain, finding, transaction))) || domain;
      return {
        status: 201,
        headers: { location },
        body: present(config, request, checked),
        history: { subject: hostname },
        after: () => onProved(environment_id),
      };
    });
  });
}

function serveDomainList(app: App, { config, store }: DomainParts): void {
  app.get('', { schema: listSchema }, async (request) => {
    const found = await store.list(request.application.environment_id);
    return { domains: found.map((domain) => present(config, request, domain)) };
  });

  app.get('/:hostname', { schema: readSchema }, async (request) => {
    const { application, params } = request;
    return present(config, request, await findDomain(store, application, params.hostname));
  });
}

function serveRedirect(app: App, parts: DomainParts): void {
  const { config, store, onProved } = parts;
  app.patch('/:hostname', { schema: changeSchema }, async (request, reply) => {
    const { application, params, body } = request;
    const before = await findDomain(store, application, params.hostname);
    const { hostname, environment_id: environmentId } = before;
    const { redirect_to: redirectTo } = readWhole(domainChanges, fieldsAmong(domainChanges, body));
    return makeChange(parts, request, reply, async (transaction) => {
      const changed = await store.redirect({ environmentId, hostname, redirectTo }, transaction);
      if (!changed) throw noSuchDomain();
      const changes = changesBetween({ redirect_to: before.redirect_to }, { redirect_to: redirectTo }) ?? {};
      return {
        status: 200,
        body: present(config, request, changed),
        history: { subject: hostname, changes },
        after: () => onProved(environmentId),
      };
    });
  });
}

function serveCheck(app: App, server: Server, parts: DomainParts): void {
  const { config, store, proving, onProved } = parts;

  app.post('/:hostname/check', { schema: checkSchema }, async (request, reply) => {
    await server.strictLimit(request, reply, `dns:${request.developer.accountId}`);
    const domain = await findDomain(store, request.application, request.params.hostname);
    const finding = await proving.look(domain);
    return makeChange(parts, request, reply, async (transaction) => {
      const checked = await proving.settle(domain, finding, transaction);
      if (!checked) throw noSuchDomain();
      const before = present(config, request, domain);
      const after = present(config, request, checked);
      const changes = changesBetween({ status: before.status }, { status: after.status }) ?? {};
      return {
        status: 200,
        body: after,
        history: { subject: domain.hostname, changes },
        after: () => onProved(domain.environment_id),
      };
    });
  });
}

function serveRemoval(app: App, parts: DomainParts): void {
  const { store, onProved } = parts;
  app.delete('/:hostname', { schema: removeSchema }, async (request, reply) => {
    const { application, params } = request;
    const { hostname } = await findDomain(store, application, params.hostname);
    return makeChange(parts, request, reply, async (transaction) => {
      const isGone = await store.remove(application.environment_id, hostname, transaction);
      if (!isGone) throw noSuchDomain();
      const after = () => onProved(application.environment_id);
      return { status: 204, body: null, history: { subject: hostname }, after };
    });
  });
}

/** Serves front proxies that ask whether they may request a certificate for a host. */
function serveAsk(app: App, { config, sites, store, clock }: DomainParts): void {
  const platform = platformHosts(config);
  const isOurs = (host: string) => platform.includes(host) || sites.hasHost(host);

  app.get('/tls/ask', { schema: askSchema }, async ({ query }) => {
    if (!query.domain) throw new FieldProblem('domain', { kind: 'missing' });
    const { domain } = readQuery(askQuery, query);
    // Another server may have stored the requested host a moment ago.
    if (domain !== undefined && !isOurs(domain)) await sites.lookUp?.(domain);
    if (domain === undefined || !isOurs(domain)) {
      throw new Refusal(404, 'not_found', messages.unknownHost);
    }
    if (!platform.includes(domain)) await store.noteCertificateAsked(domain, clock()).catch(() => {});
    return { domain };
  });
}

function platformHosts(config: Pick<Config, 'publicUrl' | 'platformHosts'>): string[] {
  return [parseHostName(new URL(config.publicUrl).host) ?? '', ...config.platformHosts];
}

/** Finds an application's domain by the name in the request. Throws a 404 if there is none. */
async function findDomain(
  store: DomainStore,
  { environment_id: environmentId }: Application,
  text: string,
): Promise<Domain> {
  const verdict = judgeHostname(text, []);
  const domain = 'hostname' in verdict && (await store.find(environmentId, verdict.hostname));
  if (!domain) throw noSuchDomain();
  return domain;
}

function present(
  config: DomainParts['config'],
  { headers, application }: FastifyRequest,
  domain: Domain,
): DomainRecord {
  const { application_uuid } = application;
  const { hostname, created_at, checked_at, proved_at, problem, redirect_to, certificate_asked_at } = domain;
  const { cname, txt } = proofOf(hostname, domain.token, config.appsDomain);
  return {
    hostname,
    application_uuid,
    status: proved_at === null ? 'pending' : 'proved',
    address: addressAt(config, hostname),
    records: [
      { type: 'CNAME', ...cname },
      { type: 'TXT', ...txt },
    ],
    problem,
    advice: problem && checkProblems[problem][preferredLanguage(headers['accept-language'])],
    redirect_to,
    certificate_asked_at,
    created_at,
    checked_at,
    proved_at,
  };
}

function noSuchDomain(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchDomain);
}
