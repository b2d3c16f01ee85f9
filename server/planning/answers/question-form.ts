import { textInLanguage } from '../../kernel/field-types.ts';
import { Html, html } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { type Answers, LONGEST_ANSWER, type Question } from '../questions/answers.ts';
import { complaint, type Mistake, marks } from './form-mistake.ts';
import type { Words } from './messages.ts';
import type { InvitedEvent } from './store.ts';
import { otherLanguage, written } from './text-attributes.ts';

/** Form fields for the event's own questions, in the guest page's form and in the open link's. */

const PREFIX = 'answers.';

interface Asking {
  answers: Answers;
  /** Values of a form that was refused, to be shown again. */
  typed: URLSearchParams | undefined;
  mistake: Mistake | undefined;
  language: LanguageName;
}

interface Shown {
  name: string;
  value: string;
  words(text: Question['text']): string;
  mistake: Mistake | undefined;
  language: LanguageName;
}

/** Fields of the questions. They show the refused form's values, or else the stored answers. */
export function questionFields(
  { questions, language_pref }: Pick<InvitedEvent, 'questions' | 'language_pref'>,
  { answers, typed, mistake, language }: Asking,
  say: Words,
): Html[] {
  const words = (text: Question['text']) => textInLanguage(text, language, language_pref);
  return questions.map((question) => {
    const name = PREFIX + question.id;
    const value = String((typed ? typed.get(name) : answers[question.id]) ?? '');
    const text = words(question.text);
    return html`<fieldset class="coming"><label class="over" for="${name}"${written(text, language)}>${text}</label>
${inputFor(question, { name, value, words, mistake, language }, say)}
${complaint(mistake, name, say)}</fieldset>`;
  });
}

function inputFor(
  { kind, options, most }: Question,
  { name, value, words, mistake, language }: Shown,
  say: Words,
): Html {
  if (kind === 'number') {
    return html`<input type="number" id="${name}" name="${name}" inputmode="numeric" min="0" max="${most}" value="${value}"${marks(mistake, name)}>`;
  }
  if (kind === 'text') {
    return html`<input type="text" id="${name}" name="${name}" maxlength="${LONGEST_ANSWER}" value="${value}"${marks(mistake, name)}>`;
  }
  const option = (id: string, text: string) =>
    html`<option value="${id}"${otherLanguage(text, language)}${id === value && new Html(' selected')}>${text}</option>`;
  return html`<select id="${name}" name="${name}"${marks(mistake, name)}>${option('', say.chooseOne)}${options.map(({ id, text }) => option(id, words(text)))}</select>`;
}

/** Reads the answers in a form. An empty field removes the answer, an absent one keeps it. */
export function answersOfForm(form: URLSearchParams, questions: readonly Question[]): Answers {
  const asked = questions.filter(({ id }) => form.has(PREFIX + id));
  return Object.fromEntries(
    asked.map(({ id, kind }) => {
      const text = (form.get(PREFIX + id) ?? '').trim();
      return [id, kind === 'number' && /^\d{1,6}$/.test(text) ? Number(text) : text];
    }),
  );
}
