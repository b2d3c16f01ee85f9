import type { Encryption } from '../kernel/encryption.ts';

/** Maximum length of an operator's invitation to register, in characters. */
export const LONGEST_INVITATION = 300;

const contextOf = (email: string) => `invitation:${email.toLowerCase()}`;

/**
 * Invitation for one address, valid until a time. It is encrypted for the address and not stored, so that a command can
 * make it without the database; it can be used once, since a verified address can't register again.
 */
export function newInvitation(encryption: Encryption, email: string, until: Temporal.Instant): string {
  return encryption.seal(until.toString(), contextOf(email));
}

export function isInvited(
  encryption: Encryption,
  email: string,
  invitation: string,
  now: Temporal.Instant,
): boolean {
  try {
    const until = Temporal.Instant.from(encryption.open(invitation.trim(), contextOf(email)));
    return Temporal.Instant.compare(now, until) < 0;
  } catch {
    // Decryption fails if the invitation to register was altered, is for another address, or was encrypted with an
    // earlier key.
    return false;
  }
}
