import type { FastifyRequest } from 'fastify';
import { type DeveloperReader, keeperOf } from '../../identity/developers.ts';
import { readQuery } from '../../kernel/asks.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { fieldsOf } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { readWhole } from '../../kernel/takes.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import { noSuchApplication, ownApplication } from '../applications/access.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { hostName } from '../gateway/hosts.ts';
import type { SiteTable } from '../gateway/sites.ts';
import { proofOf } from './check.ts';
import {
  addSchema,
  askSchema,
  checkSchema,
  type DomainRecord,
  listSchema,
  readSchema,
  removeSchema,
  sharedSchemas,
} from './contract.ts';
import { askQuery, domainFields } from './fields.ts';
import { judgeHostname } from './hostname.ts';
import { checkProblems, messages } from './messages.ts';
import type { Proving } from './proving.ts';
import type { Domain, DomainStore } from './store.ts';

export interface DomainParts {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'platformHosts'>;
  store: DomainStore;
  proving: Proving;
  sites: Pick<SiteTable, 'knows'>;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Custom domains of an application, and what a proxy in front asks about them. */
export function serveDomains(server: Server, parts: DomainParts): void {
  const { config, store, proving, sites, applications, readDeveloper, transactOnce, clock } = parts;
  const platform = [hostName(new URL(config.publicUrl).host) ?? '', ...config.platformHosts];
  const ours = [...platform, config.appsDomain];
  const { protocol, port } = new URL(config.publicUrl);
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  const present = ({ headers }: Pick<FastifyRequest, 'headers'>, domain: Domain): DomainRecord => {
    const { hostname, application_uuid, created_at, checked_at, proved_at, problem } = domain;
    const { cname, txt } = proofOf(hostname, domain.token, config.appsDomain);
    return {
      hostname,
      application_uuid,
      status: proved_at === null ? 'pending' : 'proved',
      address: `${protocol}//${hostname}${port && `:${port}`}`,
      records: [
        { type: 'CNAME', ...cname },
        { type: 'TXT', ...txt },
      ],
      problem,
      advice: problem && checkProblems[problem][preferredLanguage(headers['accept-language'])],
      created_at,
      checked_at,
      proved_at,
    };
  };
  /** The gateway learns what a check changed. */
  const published = (before: Domain, after: Domain) => async (): Promise<void> => {
    if (after.proved_at !== before.proved_at || after.problem === null) await proving.publish();
  };
  const named = async (applicationUuid: string, text: string): Promise<Domain> => {
    const verdict = judgeHostname(text, []);
    const domain = 'hostname' in verdict && (await store.find(applicationUuid, verdict.hostname));
    if (!domain) throw noSuchDomain();
    return domain;
  };

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', ownApplication(server, readDeveloper, applications));

      app.post('', { schema: addSchema }, async (request, reply) => {
        const { application, developer } = request;
        const { hostname } = readWhole(domainFields(ours), fieldsOf(request.body));
        await server.strictLimit(request, reply, `dns:${developer.accountId}`);
        const { application_uuid } = application;
        const claim = await store.claim(application_uuid, hostname);
        const finding = await proving.look(claim);
        const location = `${PREFIX}/${application_uuid}/domains/${hostname}`;
        return transactOnce(request, reply, keeperOf(developer), (through) =>
          inTransaction(through, async (transaction) => {
            const domain = await store.add(claim, clock(), transaction);
            if (!domain) throw noSuchApplication();
            // Somebody else may have claimed it for the application in between, with another token.
            const isOurs = domain.token === claim.token;
            const checked = (isOurs && (await proving.settle(domain, finding, transaction))) || domain;
            return {
              status: 201,
              headers: { location },
              body: present(request, checked),
              after: published(domain, checked),
            };
          }),
        );
      });

      app.get('', { schema: listSchema }, async (request) => {
        const found = await store.list(request.application.application_uuid);
        return { domains: found.map((domain) => present(request, domain)) };
      });

      app.get('/:hostname', { schema: readSchema }, async (request) => {
        const { application, params } = request;
        return present(request, await named(application.application_uuid, params.hostname));
      });

      app.post('/:hostname/check', { schema: checkSchema }, async (request, reply) => {
        await server.strictLimit(request, reply, `dns:${request.developer.accountId}`);
        const domain = await named(request.application.application_uuid, request.params.hostname);
        const finding = await proving.look(domain);
        return transactOnce(request, reply, keeperOf(request.developer), async (through) => {
          const checked = await proving.settle(domain, finding, through);
          if (!checked) throw noSuchDomain();
          return { status: 200, body: present(request, checked), after: published(domain, checked) };
        });
      });

      app.delete('/:hostname', { schema: removeSchema }, async ({ application, params }, reply) => {
        const { hostname } = await named(application.application_uuid, params.hostname);
        if (!(await store.remove(application.application_uuid, hostname))) throw noSuchDomain();
        await proving.publish();
        return reply.code(204).send(null);
      });
    },
    { prefix: `${PREFIX}/:uuid/domains` },
  );

  server.app.get('/tls/ask', { schema: askSchema }, async ({ query }) => {
    const { domain } = readQuery(askQuery, query);
    if (domain === undefined || !(platform.includes(domain) || sites.knows(domain))) {
      throw new Refusal(404, 'not_found', messages.unknownHost);
    }
    return { domain };
  });
}

function noSuchDomain(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchDomain);
}
