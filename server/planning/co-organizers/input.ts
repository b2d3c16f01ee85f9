import { choice, email, FieldProblem, fieldsOf, isBlank } from '../../kernel/fields.ts';
import { ACCESSES, type CoOrganizer } from './contract.ts';

export type Invitation = Pick<CoOrganizer, 'email' | 'access'>;

/** Whom a body invites. Without an `access` they may look. */
export function readInvitation(body: unknown): Invitation {
  const fields = fieldsOf(body);
  if (isBlank(fields.email)) throw new FieldProblem('email', { kind: 'missing' });
  return {
    email: email('email', fields.email),
    access: isBlank(fields.access) ? 'view' : choice('access', fields.access, ACCESSES),
  };
}

export function readAccess(body: unknown): CoOrganizer['access'] {
  return choice('access', fieldsOf(body).access, ACCESSES);
}
