import { email, FieldProblem, isBlank, orNothing, text, textOrNothing } from '../../kernel/fields.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { LENGTHS } from '../guests/contract.ts';
import { people } from '../guests/input.ts';
import { phone } from '../guests/phone.ts';

/** Somebody who is not on the list and asks to come. */
export interface Asker {
  name: string;
  phone: string | null;
  email: string | null;
  language: LanguageName;
  coming: number;
  message: string | null;
}

/** What the open link's form says; a name and a way to answer are needed. */
export function readRequest(form: URLSearchParams, language: LanguageName): Asker {
  const value = (field: string) => form.get(field) ?? '';
  if (isBlank(value('name'))) throw new FieldProblem('name', { kind: 'missing' });
  const asker = {
    name: text('name', value('name'), LENGTHS.name),
    phone: orNothing('phone', value('phone'), phone),
    email: orNothing('email', value('email'), email),
    language,
    coming: people('coming', Number(value('coming') || 1)),
    message: textOrNothing('message', value('message'), LENGTHS.message),
  };
  if (!asker.phone && !asker.email) throw new FieldProblem('phone', { kind: 'missing' });
  return asker;
}
