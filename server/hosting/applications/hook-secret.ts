import { randomBytes } from 'node:crypto';

/** A secret for the hook of one application: 32 random bytes. */
export function newHookSecret(): string {
  return randomBytes(32).toString('base64url');
}
