import type { Kysely } from 'kysely';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import { authorizeApplication } from '../applications/access.ts';
import { includesRole } from '../applications/roles.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { ApplicationChange, listSchema } from './contract.ts';
import { readHistory } from './store.ts';

export interface HistoryParts {
  db: Kysely<unknown>;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
}

/** Serves what anybody changed in an application: `/api/v1/applications/{uuid}/history`. */
export function serveHistory(server: Server, { db, applications, readDeveloper }: HistoryParts): void {
  server.app.addSchema(ApplicationChange);
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));
      app.get('', { schema: listSchema }, async ({ application, role, query }) => {
        const page = readPage(query);
        const { history, total } = await readHistory(db, application.application_uuid, page);
        const seesAddresses = includesRole(role, 'administer');
        const shown = history.map((line) =>
          seesAddresses ? line : { ...line, by: { ...line.by, address: null } },
        );
        return addPage(page, { history: shown, total });
      });
    },
    { prefix: `${PREFIX}/:uuid/history` },
  );
}
