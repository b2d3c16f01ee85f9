import { textInLanguage } from '../../kernel/field-types.ts';
import { Html, html } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { type Answers, type GuestQuestion, LONGEST_ANSWER } from '../questions/answers.ts';
import { type FormMistake, fieldComplaint, mistakeAttributes } from './form-mistake.ts';
import type { GuestPageWords } from './messages.ts';
import type { InvitedEvent } from './store.ts';
import { languageAttribute, textAttributes } from './text-attributes.ts';

/** Form fields for the event's own questions, in the form of a guest's page and in the form of the open link. */

const PREFIX = 'answers.';

interface QuestionFormState {
  answers: Answers;
  /** Values of a form that the server refused, which the page shows again. */
  typed: URLSearchParams | undefined;
  mistake: FormMistake | undefined;
  language: LanguageName;
}

interface Shown {
  name: string;
  value: string;
  words(text: GuestQuestion['text']): string;
  mistake: FormMistake | undefined;
  language: LanguageName;
}

/**
 * Form fields for the event's own questions. Each shows the value that the guest typed into a refused form, or else the
 * stored answer.
 */
export function questionInputs(
  { questions, language_pref }: Pick<InvitedEvent, 'questions' | 'language_pref'>,
  { answers, typed, mistake, language }: QuestionFormState,
  say: GuestPageWords,
): Html[] {
  const words = (text: GuestQuestion['text']) => textInLanguage(text, language, language_pref);
  return questions.map((question) => {
    const name = PREFIX + question.id;
    const value = String((typed ? typed.get(name) : answers[question.id]) ?? '');
    const text = words(question.text);
    return html`<fieldset class="coming"><label class="over" for="${name}"${textAttributes(text, language)}>${text}</label>
${inputFor(question, { name, value, words, mistake, language }, say)}
${fieldComplaint(mistake, name, say)}</fieldset>`;
  });
}

function inputFor(
  { kind, options, most }: GuestQuestion,
  { name, value, words, mistake, language }: Shown,
  say: GuestPageWords,
): Html {
  if (kind === 'number') {
    return html`<input type="number" id="${name}" name="${name}" inputmode="numeric" min="0" max="${most}" value="${value}"${mistakeAttributes(mistake, name)}>`;
  }
  if (kind === 'text') {
    return html`<input type="text" id="${name}" name="${name}" maxlength="${LONGEST_ANSWER}" value="${value}"${mistakeAttributes(mistake, name)}>`;
  }
  const option = (id: string, text: string) =>
    html`<option value="${id}"${languageAttribute(text, language)}${id === value && new Html(' selected')}>${text}</option>`;
  return html`<select id="${name}" name="${name}"${mistakeAttributes(mistake, name)}>${option('', say.chooseOne)}${options.map(({ id, text }) => option(id, words(text)))}</select>`;
}

/**
 * Reads a guest's answers to the event's own questions from a form. An empty field removes the answer; an absent field
 * keeps it.
 */
export function readAnswersForm(form: URLSearchParams, questions: readonly GuestQuestion[]): Answers {
  const asked = questions.filter(({ id }) => form.has(PREFIX + id));
  return Object.fromEntries(
    asked.map(({ id, kind }) => {
      const text = (form.get(PREFIX + id) ?? '').trim();
      return [id, kind === 'number' && /^\d{1,6}$/.test(text) ? Number(text) : text];
    }),
  );
}
