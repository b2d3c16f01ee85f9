import type { Kysely } from 'kysely';
import type { DeveloperReader } from '../../identity/developers.ts';
import { readGiven } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { changesBetween, type FieldChanges } from '../../kernel/writes/history.ts';
import { authorizeApplication } from '../applications/access.ts';
import { type ChangeParts, makeChange } from '../applications/changes.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { SECRET } from '../model/history.ts';
import { changeSchema, readSchema, type SiteRules, sharedSchemas } from './contract.ts';
import { ruleFields } from './fields.ts';
import { hashPassword } from './password.ts';
import { changeRules, type Rules, rulesOf } from './store.ts';

export interface RuleRouteParts extends ChangeParts {
  db: Kysely<unknown>;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
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

      app.patch('', { schema: changeSchema }, async (request, reply) => {
        const { application, body } = request;
        const { password, ...changes } = readGiven(ruleFields, fieldsAmong(ruleFields, body));
        // The hash takes long, so it is made before the transaction.
        const hash = password === undefined ? undefined : await hashPassword(password);
        return makeChange(parts, request, reply, async (transaction) => {
          const { application_uuid: id } = application;
          const { before, after } = await changeRules(transaction, id, changes, hash, clock());
          return {
            status: 200,
            body: present(after),
            history: { changes: ruleChanges(before, after) },
            after: () => onChanged(application),
          };
        });
      });
    },
    { prefix: `${PREFIX}/:uuid/rules` },
  );
}

/** Changed rules, as the history shows them: of the password, only that it was changed. */
function ruleChanges(before: Rules, after: Rules): FieldChanges {
  const shown = ({ has_password: _, changed_at: __, ...rules }: SiteRules) => rules;
  const from = before.password_hash === null ? null : SECRET;
  return {
    ...changesBetween(shown(present(before)), shown(present(after))),
    ...(before.password_hash !== after.password_hash && { password: { from, to: SECRET } }),
  };
}

function present({ password_hash, version: _, changed_at, ...rules }: Rules): SiteRules {
  return {
    ...rules,
    has_password: password_hash !== null,
    changed_at: changed_at?.toISOString() ?? null,
  };
}
