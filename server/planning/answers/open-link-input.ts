import { FieldProblem, isBlank, text } from '../../kernel/fields.ts';
import { LENGTHS } from '../guests/contract.ts';
import { email, people } from '../guests/input.ts';
import { phone } from '../guests/phone.ts';
import type { Language } from './messages.ts';

/** Somebody who is not on the list and asks to come. */
export interface Asker {
  name: string;
  phone: string | null;
  email: string | null;
  language: Language;
  coming: number;
  message: string | null;
}

/** What the open link's form says; a name and a way to answer are needed. */
export function readRequest(form: URLSearchParams, language: Language): Asker {
  const value = (field: string) => form.get(field) ?? '';
  if (isBlank(value('name'))) throw new FieldProblem('name', { kind: 'missing' });
  const asker = {
    name: text('name', value('name'), LENGTHS.name),
    phone: isBlank(value('phone')) ? null : phone('phone', value('phone')),
    email: isBlank(value('email')) ? null : email('email', value('email')),
    language,
    coming: people('coming', Number(value('coming') || 1)),
    message: isBlank(value('message')) ? null : text('message', value('message'), LENGTHS.message),
  };
  if (!asker.phone && !asker.email) throw new FieldProblem('phone', { kind: 'missing' });
  return asker;
}
