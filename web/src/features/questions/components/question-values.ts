import type { NewQuestion, Question, QuestionChanges } from 'simcha-client';
import { LANGUAGE_NAMES, type LanguageName } from '../../../lib/languages.ts';

export const QUESTION_KINDS = ['choice', 'number', 'text'] as const satisfies Question['kind'][];

/** Texts of a question or of an option, by language; '' if a language has none. */
export type Texts = Record<LanguageName, string>;
/** Option that guests can choose as their answer to a question; an option that is not saved yet has no id. */
export type OptionValues = Texts & { id: string | null };

/** Values of the question form. */
export type QuestionValues = Texts & {
  kind: Question['kind'];
  options: OptionValues[];
  most: number | string;
};

const NOTHING: Texts = { hebrew: '', arabic: '', english: '' };
export const emptyOption: OptionValues = { ...NOTHING, id: null };
export const emptyQuestion: QuestionValues = {
  ...NOTHING,
  kind: 'choice',
  options: [emptyOption, emptyOption],
  most: '',
};

type Stored = Question['options'][number]['text'];

function textsOf(text: Stored): Texts {
  if (typeof text === 'string') return { hebrew: text, arabic: text, english: text };
  return { hebrew: text.hebrew ?? '', arabic: text.arabic ?? '', english: text.english ?? '' };
}

/** Default maximum for the answer to a question about a number. */
const LARGEST = 1_000;

export const questionValuesOf = ({ kind, text, options, most }: Question): QuestionValues => ({
  ...textsOf(text),
  kind,
  options: options.map((option) => ({ ...textsOf(option.text), id: option.id ?? null })),
  most: most === null || most === LARGEST ? '' : most,
});

/** Texts of the languages in which the organizer has written one. */
const written = (texts: Texts): Partial<Texts> =>
  Object.fromEntries(
    LANGUAGE_NAMES.flatMap((name) => (texts[name].trim() ? [[name, texts[name].trim()]] : [])),
  );

export const hasText = (texts: Texts): boolean => Object.keys(written(texts)).length > 0;

/** Options of the question that have a text in at least one language. */
export const writtenOptions = ({ options }: QuestionValues): OptionValues[] => options.filter(hasText);

export const questionBodyOf = (values: QuestionValues): NewQuestion => ({
  kind: values.kind,
  text: written(values),
  ...(values.kind === 'choice' && {
    options: writtenOptions(values).map((option) => ({
      ...(option.id && { id: option.id }),
      text: written(option),
    })),
  }),
  ...(values.kind === 'number' && { most: values.most === '' ? null : Number(values.most) }),
});

/**
 * Fields of the question form that differ from `before`. Unchanged fields are not sent, so that they can't undo
 * somebody else's change.
 */
export function questionChangesOf(values: QuestionValues, before: QuestionValues): QuestionChanges {
  const { kind: _, ...body } = questionBodyOf(values);
  const same = questionBodyOf(before);
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(same[name as keyof NewQuestion]),
  );
  return Object.fromEntries(changed);
}

/** Name of the question form's field for a field of the API. */
export function fieldOfQuestion(field: string, eventLanguage: LanguageName): string {
  if (field.startsWith('options')) return 'options';
  if (field === 'text') return eventLanguage;
  return field.replace(/^text\./, '');
}
