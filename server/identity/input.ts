import { FieldProblem, fieldsOf, invalidField, isBlank, text } from '../kernel/fields.ts';
import { isUuid } from '../kernel/identifiers.ts';
import { isMailAddress } from '../kernel/mail/address.ts';
import { messages } from './messages.ts';

const LONGEST_CODE = 100;
const LONGEST_EMAIL = 1_000;

/** The address of a body's `email`, as it was written. */
export function readEmail(body: unknown): string {
  const { email } = fieldsOf(body);
  if (isBlank(email)) throw new FieldProblem('email', { kind: 'missing' });
  return mailAddress(email);
}

export function readCode(body: unknown): string {
  const { code } = fieldsOf(body);
  if (isBlank(code)) throw new FieldProblem('code', { kind: 'missing' });
  return text('code', code, LONGEST_CODE);
}

/** Whom a verification is about, where its body says so. */
export function readSubject(body: unknown): { email?: string; userId?: string } {
  const { email, user_id } = fieldsOf(body);
  return {
    ...(!isBlank(email) && { email: mailAddress(email) }),
    ...(!isBlank(user_id) && { userId: userId(user_id) }),
  };
}

export function readKeyName(body: unknown): string {
  const { name } = fieldsOf(body);
  if (isBlank(name)) throw new FieldProblem('name', { kind: 'missing' });
  const read = text('name', name, 100);
  if (/\p{Cc}/u.test(read)) throw invalidField('name', messages.keyName);
  return read;
}

function mailAddress(value: unknown): string {
  const address = text('email', value, LONGEST_EMAIL);
  if (!isMailAddress(address)) throw invalidField('email', messages.email);
  return address;
}

function userId(value: unknown): string {
  const id = text('user_id', value, 100);
  if (!isUuid(id)) throw invalidField('user_id', messages.userId);
  return id;
}
