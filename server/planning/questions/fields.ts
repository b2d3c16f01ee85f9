import * as fieldTypes from '../../kernel/field-types.ts';
import { FieldProblem, type Fields, invalidField, refuseOther } from '../../kernel/fields.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Words } from '../../kernel/languages.ts';
import { messages } from './messages.ts';

export const QUESTION_KINDS = ['choice', 'number', 'text'] as const;
export const QUESTION_LIMITS = {
  questions: 20,
  options: 20,
  text: 300,
  option: 100,
  number: 1_000,
  answer: 500,
} as const;
const FEWEST_OPTIONS = 2;

/** Type of a text that guests see, written in one or several languages. */
function wording(most: number): fieldTypes.FieldType<fieldTypes.ByLanguage> {
  const texts = fieldTypes.byLanguage(fieldTypes.line(most));
  return {
    read(field, value) {
      const read = texts.read(field, value);
      if (!read) throw new FieldProblem(field, { kind: 'missing' });
      return read;
    },
    schema: {
      ...withoutNull(texts.schema),
      description: 'One text for all languages, or texts by language.',
    },
    ...(texts.shows && { shows: withoutNull(texts.shows) }),
  };
}

function withoutNull({ anyOf }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const schemas = (anyOf as { type?: unknown }[]).filter(({ type }) => type !== 'null');
  return schemas.length > 1 ? { anyOf: schemas } : { ...schemas[0] };
}

/** Fields of one of the options from which a guest chooses the answer to a question. */
const optionFields = {
  id: { type: fieldTypes.orNull(fieldTypes.text(40)), empty: null },
  text: { type: wording(QUESTION_LIMITS.option) },
} as const;

/** Fields of a question to guests, as an organizer sends them. */
export const questionFields = {
  kind: {
    type: fieldTypes.nonEmpty(fieldTypes.oneOf(QUESTION_KINDS)),
    shown: 'Can’t be changed later.',
    example: 'choice',
    label: { he: 'סוג השאלה', ar: 'نوع السؤال', en: 'Kind' },
  },
  text: {
    type: wording(QUESTION_LIMITS.text),
    example: { hebrew: 'הסעה מחיפה?' },
    label: { he: 'נוסח השאלה', ar: 'نص السؤال', en: 'Question' },
  },
  options: {
    type: fieldTypes.orEmpty(fieldTypes.listOf(optionFields, QUESTION_LIMITS.options, 'QuestionOption'), []),
    empty: [],
    shown:
      'Options of a choice. An option with its `id` is changed, one without is added, and one that is left out is removed.',
    example: [
      { id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2c01', text: { hebrew: 'כן' } },
      { id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2c02', text: { hebrew: 'לא' } },
    ],
    label: { he: 'תשובות לבחירה', ar: 'خيارات الإجابة', en: 'Options' },
  },
  most: {
    type: fieldTypes.orNull(fieldTypes.wholeNumber(1, QUESTION_LIMITS.number)),
    empty: null,
    shown: `Largest accepted number; ${QUESTION_LIMITS.number} by default.`,
    label: { he: 'המספר הגדול ביותר', ar: 'أكبر عدد', en: 'Largest number' },
  },
  asked: {
    type: fieldTypes.orEmpty(fieldTypes.yesOrNo(), true),
    empty: true,
    shown: 'Whether guests are currently asked. Their answers are kept either way.',
    label: { he: 'השאלה מוצגת', ar: 'السؤال معروض', en: 'Asked' },
  },
  position: {
    type: fieldTypes.orNull(fieldTypes.wholeNumber(1, QUESTION_LIMITS.questions)),
    empty: null,
    shown: 'Position among the questions, from 1; the others move.',
    example: 1,
    label: { he: 'מיקום השאלה', ar: 'ترتيب السؤال', en: 'Position' },
  },
} as const satisfies Readonly<Record<string, fieldTypes.FieldTable[string] & { label: Words }>>;

export const { kind: _, ...changeableFields } = questionFields;

export interface QuestionOption {
  id: string;
  text: fieldTypes.ByLanguage;
}

/** Question to guests as an organizer defines it, before it is stored. */
export interface QuestionDraft {
  kind: (typeof QUESTION_KINDS)[number];
  text: fieldTypes.ByLanguage;
  options: QuestionOption[];
  most: number | null;
  asked: boolean;
  position: number | null;
}

/** Reads a question from a request body; `before` is the stored question that it changes. */
export function readQuestion(body: Fields, before?: QuestionDraft): QuestionDraft {
  if (before) refuseOther(['kind'], body, before);
  const { kind, ...given } = before
    ? { ...fieldTypes.readWhole(changeableFields, body, before), kind: before.kind }
    : fieldTypes.readWhole(questionFields, body);
  const options = given.options.map(({ id, text }, index) => ({ id: optionId(id, index, before), text }));
  const ids = new Set(options.map(({ id }) => id));
  if (ids.size < options.length) throw invalidField('options', messages.optionTwice);
  const isChoice = kind === 'choice';
  if (isChoice && options.length < FEWEST_OPTIONS) throw invalidField('options', messages.fewOptions);
  if (!isChoice && options.length > 0) throw invalidField('options', messages.optionsOfChoice);
  if (kind !== 'number' && given.most !== null) throw invalidField('most', messages.mostOfNumber);
  return { ...given, kind, options, most: kind === 'number' ? (given.most ?? QUESTION_LIMITS.number) : null };
}

function optionId(id: string | null, index: number, before: QuestionDraft | undefined): string {
  if (!id) return newId();
  if (before?.options.some((option) => option.id === id)) return id;
  throw invalidField(`options[${index}].id`, messages.unknownOption);
}
