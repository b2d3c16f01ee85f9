import type { Kysely } from 'kysely';
import { sessionCookie } from '../kernel/http/cookies.ts';
import type { Platform } from '../kernel/platform.ts';
import { createAccessTokenReader } from './access-tokens/reader.ts';
import { serveAccessTokens } from './access-tokens/routes.ts';
import { AccessTokenStore } from './access-tokens/store.ts';
import type { TokenSubjects } from './access-tokens/subjects.ts';
import { Accounts } from './accounts.ts';
import { isAdmitted } from './admission.ts';
import { createOrganizerReader, type OrganizerReader } from './authenticate.ts';
import { createCodeRequests } from './code-requests.ts';
import { createCounts } from './counts.ts';
import { createDeveloperReader, type DeveloperReader } from './developers.ts';
import { DeviceLogins } from './device-login/device-logins.ts';
import { serveDeviceLogin } from './device-login/routes.ts';
import { DeviceLoginStore } from './device-login/store.ts';
import { isInvited } from './invitations.ts';
import { createKnownOrigins } from './known-origins.ts';
import { serveNotificationSettings } from './notifications/routes.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { createSessionReader } from './sessions/reader.ts';
import { serveSessions } from './sessions/routes.ts';
import { createCsrfTokens } from './sessions/secrets.ts';
import { SessionStore } from './sessions/store.ts';
import { serveSignIn } from './sign-in.ts';
import { UserStore } from './store.ts';
import { createTokenReader } from './tokens.ts';
import { serveUsers } from './users.ts';

export type { TokenSubjects } from './access-tokens/subjects.ts';

export interface IdentityParts {
  subjects: TokenSubjects;
  /**
   * Called when an account passes to the owner of its mail address. A stranger may have registered the account, so all
   * its secrets that the stranger knows must be made invalid.
   */
  onTakenOver(accountId: string, transaction: Kysely<unknown>): Promise<void>;
}

export interface Identity {
  /**
   * Reads the caller of a request from a signed token, ours or an outside provider's if one is set, from an API key or
   * access token, or from a browser's session.
   */
  readOrganizer: OrganizerReader;
  /**
   * Reads the user of a request from an API key or access token, a session or one of our own signed tokens: an outside
   * provider can't say who is a user here.
   */
  readDeveloper: DeveloperReader;
}

/** Users, their codes and keys, and sign-in for both sides of the product. */
export function composeIdentity(platform: Platform, { onTakenOver, subjects }: IdentityParts): Identity {
  const { config, secret, clock, keys, encryption, database, jobs, mail, server, transactOnce } = platform;
  const db = database.sql;
  const counts = createCounts(encryption);
  const codes = new OneTimeCodes(encryption, counts, createKnownOrigins(encryption));
  const devices = new DeviceLoginStore(encryption);
  jobs.schedule('forget-codes', '7 * * * *', async () => {
    await codes.forget(db, clock());
    await devices.forget(db, clock());
  });
  const store = new UserStore(db);
  const tokens = new AccessTokenStore(db);
  jobs.schedule('forget-tokens', '55 3 * * *', () => tokens.forget(clock()));
  const accounts = new Accounts({
    db,
    store,
    tokens,
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
  const readAccessToken = createAccessTokenReader(server, { store: tokens, paths: subjects.paths, clock });
  const readDeveloper = createDeveloperReader({
    store,
    readOwnToken: createTokenReader({}, secret, clock),
    readAccessToken,
    readSession,
  });
  const requests = createCodeRequests(config);
  serveSignIn(server, { accounts, requests, secret, clock });
  serveSessions(server, { ...sessions, accounts, requests, readSession, operators: config.operators });
  const logins = new DeviceLogins({ db, store: devices, tokens, counts });
  const { publicUrl } = config;
  serveDeviceLogin(server, { logins, users: store, readSession, publicUrl, clock });
  serveUsers(server, { accounts, store, readDeveloper, clock });
  serveAccessTokens(server, { store: tokens, users: store, subjects, readDeveloper, transactOnce, clock });
  serveNotificationSettings(server, { db, readDeveloper });
  const readToken = createTokenReader(config, secret, clock);
  return {
    readOrganizer: createOrganizerReader({ readToken, readAccessToken, readSession }),
    readDeveloper,
  };
}
