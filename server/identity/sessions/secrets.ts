import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const FORM = /^[\w-]{43}$/;

/** Makes the value of a new session's cookie: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Hash by which a session's token is stored and found: with 256 random bits, a plain hash reveals nothing. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function looksLikeToken(text: string): boolean {
  return FORM.test(text);
}

/**
 * CSRF token, which a session's own page sends beside its cookie. Other pages can't know it: only responses to that
 * cookie have it, and browsers show these to pages of this origin only. It is derived from the session, so it is
 * useless for another session.
 */
export function createCsrfTokens(secret: string): (sessionId: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'simcha csrf tokens', 32));
  return (sessionId) => createHmac('sha256', key).update(sessionId).digest('base64url');
}
