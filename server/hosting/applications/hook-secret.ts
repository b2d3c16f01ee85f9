import { randomBytes } from 'node:crypto';

/** Creates the secret for an application's push hook: 32 random bytes. */
export function newHookSecret(): string {
  return randomBytes(32).toString('base64url');
}
