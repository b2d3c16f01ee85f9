import type { Encryption } from '../kernel/encryption.ts';

/** The longest text that is looked at. */
export const LONGEST_INVITATION = 300;

const contextOf = (email: string) => `invitation:${email.toLowerCase()}`;

/**
 * A text that lets one address in until then. It is sealed for the address and kept nowhere, so that a command makes it
 * without the database; it is of use once, since a verified address has nothing more to register.
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
    // Changed, made for another address, or with a key of before.
    return false;
  }
}
