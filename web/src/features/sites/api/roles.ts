import type { Application } from 'simcha-client';

/** Roles in a site, from the least to the most; each allows everything that the ones before it allow. */
export const ROLES = [
  'look',
  'deploy',
  'administer',
  'owner',
] as const satisfies readonly Application['role'][];
export type Role = (typeof ROLES)[number];

/** True if the user's role in a site allows what `required` allows. */
export function hasRole({ role }: Pick<Application, 'role'>, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}
