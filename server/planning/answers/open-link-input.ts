import { FieldProblem, isBlank } from '../../kernel/fields.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { guestFields } from '../guests/fields.ts';
import { people } from '../guests/input.ts';

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
  const { name, phone, email, message } = guestFields;
  const asker = {
    name: name.takes.read('name', value('name')),
    phone: phone.takes.read('phone', value('phone')),
    email: email.takes.read('email', value('email')),
    language,
    coming: people('coming', Number(value('coming') || 1)),
    message: message.takes.read('message', value('message')),
  };
  if (!asker.phone && !asker.email) throw new FieldProblem('phone', { kind: 'missing' });
  return asker;
}
