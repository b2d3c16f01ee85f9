import * as fieldTypes from '../../kernel/field-types.ts';
import { FieldProblem, fieldsOf, invalidField } from '../../kernel/fields.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import type { QuestionDraft } from './fields.ts';
import { QUESTION_LIMITS } from './fields.ts';
import { messages } from './messages.ts';

/** Answers of a guest by question id: the id of an option, a number or a text. In a body, null removes an answer. */
export type Answers = Readonly<Record<string, string | number | null>>;

const MOST_GIVEN = QUESTION_LIMITS.questions;
/** Maximum length of a guest's answer to a question, in UTF-16 code units. */
export const LONGEST_ANSWER = QUESTION_LIMITS.answer;

/** Field for answers to an event's questions. Whether they fit the questions is checked later, by `applyAnswers`. */
export const answersField: fieldTypes.FieldType<Answers> = {
  read(field, value) {
    const answers = Object.entries(fieldsOf(value, field));
    if (answers.length > MOST_GIVEN) throw new FieldProblem(field, { kind: 'list', most: MOST_GIVEN });
    return Object.fromEntries(answers.map(([id, one]) => [id, readGivenAnswer(`${field}.${id}`, one)]));
  },
  schema: {
    type: 'object',
    maxProperties: MOST_GIVEN,
    additionalProperties: { type: ['string', 'number', 'null'], maxLength: QUESTION_LIMITS.answer },
    description:
      'Answers by question id: the id of an option, a number, or a text; null removes an answer. ' +
      'Answers to other questions stay.',
  },
  shows: {
    type: 'object',
    additionalProperties: { type: ['string', 'number'] },
    description: 'Answers by question id: the id of an option, a number, or a text.',
  },
};

function readGivenAnswer(place: string, value: unknown): string | number | null {
  return value === null || typeof value === 'number'
    ? value
    : fieldTypes.text(QUESTION_LIMITS.answer).read(place, value);
}

export interface GuestQuestion extends Omit<QuestionDraft, 'position'> {
  id: string;
}

/**
 * Applies new answers to a guest's stored answers. Throws a FieldProblem for an answer that the question does not
 * accept.
 */
export function applyAnswers(questions: readonly GuestQuestion[], before: Answers, given: Answers): Answers {
  const after = new Map(Object.entries(before));
  for (const [id, value] of Object.entries(given)) {
    const place = `answers.${id}`;
    const question = questions.find((one) => one.id === id);
    if (!question) throw invalidField(place, messages.noSuchQuestionHere);
    const answer = answerTo(question, place, value);
    if (answer === null) after.delete(id);
    else after.set(id, answer);
  }
  return Object.fromEntries(after);
}

function answerTo(
  { kind, options, most }: GuestQuestion,
  place: string,
  value: unknown,
): string | number | null {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return null;
  if (kind === 'number') return fieldTypes.wholeNumber(0, most ?? QUESTION_LIMITS.number).read(place, value);
  if (kind === 'text') return fieldTypes.text(QUESTION_LIMITS.answer).read(place, value);
  return fieldTypes.oneOf(options.map(({ id }) => id)).read(place, value);
}

/** Stored answers of a guest that are still valid: their question and, for a choice, their option still exist. */
export function validAnswers(questions: readonly GuestQuestion[], answers: Answers): Answers {
  const stands = ([id, answer]: [string, Answers[string]]) => {
    const question = questions.find((one) => one.id === id);
    return (
      question && (question.kind !== 'choice' || question.options.some((option) => option.id === answer))
    );
  };
  return Object.fromEntries(Object.entries(answers).filter(stands));
}

/** Converts a guest's answer to a question to text that people can read. */
export function answerText(
  { kind, options }: Pick<GuestQuestion, 'kind' | 'options'>,
  answer: Answers[string] | undefined,
  language: LanguageName,
): string {
  if (answer === undefined || answer === null) return '';
  if (kind !== 'choice') return String(answer);
  const option = options.find(({ id }) => id === answer);
  return option ? fieldTypes.textInLanguage(option.text, language, language) : '';
}
