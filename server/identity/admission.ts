import type { Config } from '../kernel/config.ts';

/** Whether somebody of this address may become a user without an invitation. A subdomain of a domain is another domain. */
export function admits(registration: Config['registration'], email: string): boolean {
  if (registration === 'open') return true;
  if (registration === 'closed') return false;
  return registration.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
