import { randomUUID } from 'node:crypto';
import type { Answer, CallOptions, Client } from './client.ts';
import { codeTo, mailsTo } from './outbox.ts';
import type { TestServer } from './server.ts';

export interface TestSession {
  id: string;
  email: string;
  userId: string;
  /** Value of the session cookie. */
  token: string;
  /** Headers that the server's own pages send with a request that changes something. */
  headers: { cookie: string; origin: string; 'x-csrf-token': string };
  /** Client that sends requests with the session, like the server's own pages. */
  call: Client;
}

type Asked = Pick<TestServer, 'url' | 'dataDir' | 'call'>;

/** Requests a sign-in code and enters it, like the server's own pages. */
export async function startSession(
  server: Asked,
  email: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const before = await mailsTo(server.dataDir, email);
  await server.call('POST', '/api/auth/code', { body: { email } });
  const code = await codeTo(server.dataDir, email, before);
  return server.call('POST', '/api/auth/session', {
    body: { email, code },
    headers: { origin: server.url, ...headers },
  });
}

/** Signs a user in and returns the browser session. */
export async function newSession(
  server: Asked,
  email = `organizer-${randomUUID()}@example.com`,
): Promise<TestSession> {
  const { body, headers: given } = await startSession(server, email);
  const cookie = given.getSetCookie()[0]?.split(';')[0] ?? '';
  const headers = { cookie, origin: server.url, 'x-csrf-token': body.csrf_token };
  return {
    id: body.session.id,
    email,
    userId: body.user.user_id,
    token: cookie.split('=')[1] ?? '',
    headers,
    call: (method, path, options: CallOptions = {}) =>
      server.call(method, path, { ...options, headers: { ...headers, ...options.headers } }),
  };
}
