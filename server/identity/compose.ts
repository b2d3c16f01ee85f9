import type { Kysely } from 'kysely';
import { sessionCookie } from '../kernel/http/cookies.ts';
import type { Platform } from '../kernel/platform.ts';
import { Accounts } from './accounts.ts';
import { isAdmitted } from './admission.ts';
import { createOrganizerReader, type OrganizerReader } from './authenticate.ts';
import { createCodeRequests } from './code-requests.ts';
import { createCounts } from './counts.ts';
import { createDeveloperReader, type DeveloperReader } from './developers.ts';
import { isInvited } from './invitations.ts';
import { createKnownOrigins } from './known-origins.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { createSessionReader } from './sessions/reader.ts';
import { serveSessions } from './sessions/routes.ts';
import { createCsrfTokens } from './sessions/secrets.ts';
import { SessionStore } from './sessions/store.ts';
import { serveSignIn } from './sign-in.ts';
import { UserStore } from './store.ts';
import { createTokenReader } from './tokens.ts';
import { serveUsers } from './users.ts';

export interface IdentityParts {
  /**
   * Called when an account that a stranger may have registered passes to the owner of its mail address: secrets that
   * the stranger knows must become worthless.
   */
  onTakenOver(accountId: string, transaction: Kysely<unknown>): Promise<void>;
}

export interface Identity {
  /**
   * Reads the caller of a request from a token, ours or an outside provider's if one is set, or from a browser's
   * session.
   */
  readOrganizer: OrganizerReader;
  /**
   * Reads the user of a request from an API key, a session or one of our own tokens: an outside provider can't say who
   * is a user here.
   */
  readDeveloper: DeveloperReader;
}

/** Users, their codes and keys, and sign-in for both sides of the product. */
export function composeIdentity(platform: Platform, { onTakenOver }: IdentityParts): Identity {
  const { config, secret, clock, keys, encryption, database, jobs, mail, server, transactOnce } = platform;
  const db = database.sql;
  const codes = new OneTimeCodes(encryption, createCounts(encryption), createKnownOrigins(encryption));
  jobs.schedule('forget-codes', '7 * * * *', () => codes.forget(db, clock()));
  const store = new UserStore(db);
  const accounts = new Accounts({
    db,
    store,
    codes,
    mail,
    isAdmitted: (email) => isAdmitted(config.registration, email),
    isInvited: (email, invitation, now) => isInvited(keys, email, invitation, now),
    onTakenOver,
  });
  const sessions = {
    store: new SessionStore(db),
    cookie: sessionCookie(config),
    csrfTokenOf: createCsrfTokens(secret),
    https: config.publicUrl.startsWith('https:'),
    clock,
  };
  jobs.schedule('forget-sessions', '50 3 * * *', () => sessions.store.forget(clock()));
  const readSession = createSessionReader(server, sessions);
  const readDeveloper = createDeveloperReader(store, createTokenReader({}, secret, clock), readSession);
  const requests = createCodeRequests(config);
  serveSignIn(server, { accounts, requests, secret, clock });
  serveSessions(server, { ...sessions, accounts, requests, readSession });
  serveUsers(server, { accounts, store, readDeveloper, transactOnce, clock });
  const readToken = createTokenReader(config, secret, clock);
  return { readOrganizer: createOrganizerReader(readToken, readSession), readDeveloper };
}
