import type { Kysely } from 'kysely';
import type { Platform } from '../kernel/platform.ts';
import { createAccounts } from './accounts.ts';
import { admits } from './admission.ts';
import { createDeveloperReader, type DeveloperReader } from './developers.ts';
import { isInvited } from './invitations.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import { serveSignIn } from './sign-in.ts';
import { createUserStore } from './store.ts';
import { createTokenReader, type TokenReader } from './tokens.ts';
import { serveUsers } from './users.ts';

export interface IdentityParts {
  /** What somebody who may not have been the address's owner knew of the account is to be worth nothing from now on. */
  onTakenOver(accountId: string, transaction: Kysely<unknown>): Promise<void>;
}

export interface Identity {
  /** Who an organizer's token speaks for: ours, and an outside provider's where one is set. */
  readOrganizer: TokenReader;
  /** Which user calls, by an API key or by a token of our own: who is a user here, no provider can say. */
  readDeveloper: DeveloperReader;
}

/** Users, their codes and keys, and the way in for both sides. */
export function composeIdentity(platform: Platform, { onTakenOver }: IdentityParts): Identity {
  const { config, secret, clock, keys, encryption, database, jobs, mail, server, transactOnce } = platform;
  const db = database.sql;
  const codes = createOneTimeCodes(encryption);
  jobs.schedule('forget-codes', '7 * * * *', () => codes.forget(db, clock()));
  const store = createUserStore(db);
  const accounts = createAccounts({
    db,
    store,
    codes,
    mail,
    admits: (email) => admits(config.registration, email),
    isInvited: (email, invitation, now) => isInvited(keys, email, invitation, now),
    onTakenOver,
  });
  const readDeveloper = createDeveloperReader(store, createTokenReader({}, secret, clock));
  serveSignIn(server, { accounts, secret, clock });
  serveUsers(server, { accounts, store, readDeveloper, transactOnce, clock });
  return { readOrganizer: createTokenReader(config, secret, clock), readDeveloper };
}
