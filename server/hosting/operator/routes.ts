import { statfs } from 'node:fs/promises';
import type { Clock } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { EnvironmentName } from '../applications/store.ts';
import { type Budgets, setOwnBudget } from '../budgets/store.ts';
import type { Deployments } from '../deployments/deployments.ts';
import { recordChange } from '../model/history.ts';
import { type OperatorParts, operatorOnly } from './access.ts';
import { budgetSchema, readSchema, stopSchema } from './contract.ts';
import { budgetFields } from './fields.ts';
import { findingsOf } from './health.ts';
import { messages } from './messages.ts';
import {
  findSite,
  isAccount,
  readCostlySites,
  readDevelopers,
  readDomains,
  readHealthFacts,
  readQueue,
} from './store.ts';

const PREFIX = '/api/v1/operator';

export interface OperatorRouteParts extends OperatorParts {
  budgets: Pick<Budgets, 'readEach'>;
  deployments: Pick<Deployments, 'stop'>;
  /** Called after a site was stopped; resolves when this server's gateway knows. */
  onStopped: (environment: EnvironmentName) => Promise<void>;
  dataDir: string;
  clock: Clock;
}

/** Serves the operator's routes: `/api/v1/operator`. */
export function serveOperator(server: Server, parts: OperatorRouteParts): void {
  const { db, budgets, deployments, onStopped, dataDir, clock } = parts;
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      for (const hook of operatorOnly(server, parts)) app.addHook('onRequest', hook);

      app.get('', { schema: readSchema }, async ({ headers }) => {
        const language = preferredLanguage(headers['accept-language']);
        const now = clock();
        const [facts, disk, queue, sites, developers, domains] = await Promise.all([
          readHealthFacts(db, now),
          readDisk(dataDir),
          readQueue(db),
          readCostlySites(db, now),
          readBudgets(parts),
          readDomains(db),
        ]);
        const findings = findingsOf({ ...facts, diskFree: disk.free_bytes, diskSize: disk.size_bytes }).map(
          ({ code, words }) => ({ code, sentence: words[language] }),
        );
        const sentence = findings.map((one) => one.sentence).join(' ') || messages.allWell[language];
        return { health: { sentence, findings }, disk, queue, sites, developers, domains };
      });

      app.post('/sites/:environment/stop', { schema: stopSchema }, async ({ params }, reply) => {
        const { environment } = params as { environment: string };
        const site = isUuid(environment) ? await findSite(db, environment) : undefined;
        if (!site) throw new Refusal(404, 'not_found', messages.noSuchSite);
        await inTransaction(db, async (transaction) => {
          await deployments.stop(site, transaction);
          const { application_uuid: applicationId, preview } = site;
          const change = { applicationId, preview, operation: 'stopSite', by: { kind: 'operator' } } as const;
          await recordChange(transaction, change, clock());
        });
        await onStopped(site);
        return reply.code(204).send(null);
      });

      app.patch('/developers/:account/budget', { schema: budgetSchema }, async ({ params, body }) => {
        const { account } = params as { account: string };
        if (!isUuid(account) || !(await isAccount(db, account)))
          throw new Refusal(404, 'not_found', messages.noSuchDeveloper);
        const changes = fieldTypes.readGiven(budgetFields, fieldsAmong(budgetFields, body ?? {}));
        return setOwnBudget(db, account, changes);
      });
    },
    { prefix: PREFIX },
  );

  async function readBudgets({ db: from }: OperatorRouteParts) {
    const developers = await readDevelopers(from);
    const each = await budgets.readEach(developers.map(({ account_id }) => account_id));
    return developers.flatMap(({ account_id, email }) => {
      const found = each.get(account_id);
      return found ? [{ account_id, email, ...found }] : [];
    });
  }
}

async function readDisk(dataDir: string) {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { free_bytes: bavail * bsize, size_bytes: blocks * bsize };
}
