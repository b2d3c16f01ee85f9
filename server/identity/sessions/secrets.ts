import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const FORM = /^[\w-]{43}$/;

/** What a session's cookie carries: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of it, and found by: of 256 random bits a plain hash gives nothing away. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function looksLikeToken(text: string): boolean {
  return FORM.test(text);
}

/**
 * What a session's own page says beside its cookie. Other pages can't know it: whoever reads it has read an answer to that
 * cookie, which browsers give to pages of this origin alone. It is made of the session, so that no one does for another.
 */
export function createCsrfTokens(secret: string): (sessionId: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'simcha csrf tokens', 32));
  return (sessionId) => createHmac('sha256', key).update(sessionId).digest('base64url');
}
