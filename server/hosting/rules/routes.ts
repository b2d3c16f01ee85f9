import type { Kysely } from 'kysely';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readGiven } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { authorizeApplication } from '../applications/access.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { changeSchema, readSchema, type SiteRules, sharedSchemas } from './contract.ts';
import { ruleFields } from './fields.ts';
import { changeRules, type Rules, rulesOf } from './store.ts';

export interface RuleRouteParts {
  db: Kysely<unknown>;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  clock: Clock;
  /** Called after a change; resolves when this server's gateway applies the new rules. */
  onChanged: (environment: { environment_id: string }) => Promise<void>;
}

/** Serves the rules of an application's sites: `/api/v1/applications/{uuid}/rules`. */
export function serveRules(server: Server, parts: RuleRouteParts): void {
  const { db, applications, readDeveloper, clock, onChanged } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));

      app.get('', { schema: readSchema }, async ({ application }) =>
        present(await rulesOf(db, application.application_uuid)),
      );

      app.patch('', { schema: changeSchema }, async ({ application, body }) => {
        const changes = readGiven(ruleFields, fieldsAmong(ruleFields, body));
        const changed = await changeRules(db, application.application_uuid, changes, clock());
        await onChanged(application);
        return present(changed);
      });
    },
    { prefix: `${PREFIX}/:uuid/rules` },
  );
}

function present({ password_hash, version: _, changed_at, ...rules }: Rules): SiteRules {
  return {
    ...rules,
    has_password: password_hash !== null,
    changed_at: changed_at?.toISOString() ?? null,
  };
}
