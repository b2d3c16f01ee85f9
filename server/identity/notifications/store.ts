import { type Kysely, sql } from 'kysely';
import type { Language } from '../../kernel/languages.ts';

/** Mails that a user gets about their sites, and their language. */
export interface NotificationSettings {
  language: Language;
  deployment_failed: boolean;
  site_down: boolean;
  site_up: boolean;
}

/** User to whom the server mails something about what belongs to them. */
export interface Recipient {
  email: string;
  settings: NotificationSettings;
}

export const DEFAULT_NOTIFICATIONS: NotificationSettings = {
  language: 'en',
  deployment_failed: true,
  site_down: true,
  site_up: true,
};

/** Verified user with their settings; undefined if the account has no verified address. */
export async function findRecipient(db: Kysely<unknown>, accountId: string): Promise<Recipient | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from users where account_id = ${accountId} and verified`.execute(db);
  const [user] = rows;
  return user && { email: user.email, settings: await readNotificationSettings(db, accountId) };
}

/** Settings of an account; the defaults if it has changed nothing. */
export async function readNotificationSettings(
  db: Kysely<unknown>,
  accountId: string,
): Promise<NotificationSettings> {
  const { rows } = await sql<NotificationSettings>`
    select language, deployment_failed, site_down, site_up
    from notification_settings where account_id = ${accountId}`.execute(db);
  return rows[0] ?? DEFAULT_NOTIFICATIONS;
}

/** Language of the mails of the user with an address; undefined if there is no such user, or none is known. */
export async function languageOfAddress(db: Kysely<unknown>, email: string): Promise<Language | undefined> {
  const { rows } = await sql<{ language: Language }>`
    select language from notification_settings join users using (account_id)
    where users.verified and lower(users.email) = ${email.toLowerCase()}`.execute(db);
  return rows[0]?.language;
}

/** Stores an account's settings; false if the account has ended. */
export async function saveNotificationSettings(
  transaction: Kysely<unknown>,
  accountId: string,
  { language, deployment_failed, site_down, site_up }: NotificationSettings,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into notification_settings (account_id, language, deployment_failed, site_down, site_up)
    select account_id, ${language}, ${deployment_failed}, ${site_down}, ${site_up}
    from users where account_id = ${accountId}
    on conflict (account_id) do update set language = excluded.language,
      deployment_failed = excluded.deployment_failed, site_down = excluded.site_down, site_up = excluded.site_up`.execute(
    transaction,
  );
  return numAffectedRows > 0n;
}

/** Stores the language in which a user signed in, for their mails, unless they have settings already. */
export async function noteLanguage(
  transaction: Kysely<unknown>,
  accountId: string,
  language: Language,
): Promise<void> {
  const { deployment_failed, site_down, site_up } = DEFAULT_NOTIFICATIONS;
  await sql`
    insert into notification_settings (account_id, language, deployment_failed, site_down, site_up)
    select account_id, ${language}, ${deployment_failed}, ${site_down}, ${site_up}
    from users where account_id = ${accountId}
    on conflict do nothing`.execute(transaction);
}
