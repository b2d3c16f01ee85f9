import { FieldProblem } from '../../kernel/fields.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { readWhole, type ValuesOf } from '../../kernel/takes.ts';
import { people } from '../guests/fields.ts';
import { type Answers, answersAfter, type Question } from '../questions/answers.ts';
import { askerFields } from './fields.ts';
import { answersOfForm } from './question-form.ts';

/** Somebody who is not on the list and asks to come. */
export interface Asker extends ValuesOf<typeof askerFields> {
  language: LanguageName;
  coming: number;
  answers: Answers;
}

/** What the open link's form says; a name and a way to answer are needed. */
export function readRequest(
  form: URLSearchParams,
  language: LanguageName,
  questions: readonly Question[],
): Asker {
  const value = (field: string) => form.get(field) ?? '';
  const said = Object.fromEntries(Object.keys(askerFields).map((field) => [field, value(field)]));
  const asker = {
    ...readWhole(askerFields, said),
    language,
    coming: people.read('coming', Number(value('coming') || 1)),
    answers: answersAfter(questions, {}, answersOfForm(form, questions)),
  };
  if (!asker.phone && !asker.email) throw new FieldProblem('phone', { kind: 'missing' });
  return asker;
}
