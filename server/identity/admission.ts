import type { Config } from '../kernel/config.ts';

/**
 * True if a person with this mail address may sign up without an invitation. A subdomain of an allowed domain is a
 * different domain.
 */
export function isAdmitted(registration: Config['registration'], email: string): boolean {
  if (registration === 'open') return true;
  if (registration === 'closed') return false;
  return registration.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
