import type { NewQuestion, Question, QuestionChanges } from 'simcha-client';
import type { LanguageName } from '../../../lib/languages.ts';

export const KINDS = ['choice', 'number', 'text'] as const satisfies Question['kind'][];
export const LANGUAGE_NAMES = ['hebrew', 'arabic', 'english'] as const satisfies LanguageName[];

/** In each language; nothing typed is ''. */
export type Texts = Record<LanguageName, string>;
/** One to choose; without an id it is new. */
export type OptionValues = Texts & { id: string | null };

/** A question as a form has it. */
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

/** The largest number that is taken where nothing is said of it. */
const LARGEST = 1_000;

export const valuesOf = ({ kind, text, options, most }: Question): QuestionValues => ({
  ...textsOf(text),
  kind,
  options: options.map((option) => ({ ...textsOf(option.text), id: option.id ?? null })),
  most: most === null || most === LARGEST ? '' : most,
});

/** What is typed in some language; in none it is nothing. */
const written = (texts: Texts): Partial<Texts> =>
  Object.fromEntries(
    LANGUAGE_NAMES.flatMap((name) => (texts[name].trim() ? [[name, texts[name].trim()]] : [])),
  );

export const isWritten = (texts: Texts): boolean => Object.keys(written(texts)).length > 0;

/** An option in which nothing stands is none. */
export const writtenOptions = ({ options }: QuestionValues): OptionValues[] => options.filter(isWritten);

export const bodyOf = (values: QuestionValues): NewQuestion => ({
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

/** What is the same is not sent, so that it can't undo somebody else's change. */
export function changesOf(values: QuestionValues, before: QuestionValues): QuestionChanges {
  const { kind: _, ...body } = bodyOf(values);
  const same = bodyOf(before);
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(same[name as keyof NewQuestion]),
  );
  return Object.fromEntries(changed);
}

/** The field of the form that the server's is. */
export function fieldOfForm(field: string, eventLanguage: LanguageName): string {
  if (field.startsWith('options')) return 'options';
  if (field === 'text') return eventLanguage;
  return field.replace(/^text\./, '');
}
