import type { Kysely } from 'kysely';
import { readGiven } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { authenticateDeveloper, type DeveloperReader, keyNeededRefusal } from '../developers.ts';
import { readNotificationsSchema, sharedSchemas, updateNotificationsSchema } from './contract.ts';
import { notificationFields } from './fields.ts';
import { readNotificationSettings, saveNotificationSettings } from './store.ts';

export interface NotificationParts {
  db: Kysely<unknown>;
  readDeveloper: DeveloperReader;
}

/** Routes of the settings for mails to a user about their sites: `/api/v1/users/me/notifications`. */
export function serveNotificationSettings(server: Server, { db, readDeveloper }: NotificationParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authenticateDeveloper(server, readDeveloper));

      app.get('', { schema: readNotificationsSchema }, async ({ developer }) =>
        readNotificationSettings(db, developer.accountId),
      );

      app.patch('', { schema: updateNotificationsSchema }, async ({ body, developer }) => {
        const changes = readGiven(notificationFields, fieldsAmong(notificationFields, body));
        return db.transaction().execute(async (transaction) => {
          const settings = {
            ...(await readNotificationSettings(transaction, developer.accountId)),
            ...changes,
          };
          const isSaved = await saveNotificationSettings(transaction, developer.accountId, settings);
          if (!isSaved) throw keyNeededRefusal();
          return settings;
        });
      });
    },
    { prefix: '/api/v1/users/me/notifications' },
  );
}
