import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import { DIETS, type DietFilter } from '../../guests/api/search.ts';

export const VIEWS = ['questions', 'numbers', 'caterer'] as const;
export type View = (typeof VIEWS)[number];

/** Of the page's address. */
export interface QuestionSearch {
  /** The questions, unless it says another. */
  view?: Exclude<View, 'questions'> | undefined;
  /** Which one is open; `new`: one that is to be asked. */
  question?: string | undefined;
  /** Whose numbers: of guests with one of these tags, who eat one of these. */
  tag?: string[] | undefined;
  food?: DietFilter[] | undefined;
  /** Of the caterer's page; the event's own unless it says another. */
  language?: Language | undefined;
}

export function readQuestionSearch(given: Record<string, unknown>): QuestionSearch {
  const { view, question, language } = given;
  const tags = texts(given.tag);
  const food = DIETS.filter((diet) => texts(given.food).includes(diet));
  // What is not named here again would stay as it came.
  return {
    view: view === 'numbers' || view === 'caterer' ? view : undefined,
    question: typeof question === 'string' && question !== '' ? question : undefined,
    tag: tags.length > 0 ? tags : undefined,
    food: food.length > 0 ? food : undefined,
    language: typeof language === 'string' && language in LANGUAGES ? (language as Language) : undefined,
  };
}

const texts = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (one === undefined || one === null || one === '' ? [] : String(one)));
