import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import { DIETS, type DietFilter } from '../../guests/api/search.ts';

export const VIEWS = ['questions', 'numbers', 'caterer'] as const;
export type View = (typeof VIEWS)[number];

/** Search parameters of the address of the page with questions and meals. */
export interface QuestionSearch {
  /** View that is open on the page of questions and meals; absent for the view of the questions. */
  view?: Exclude<View, 'questions'> | undefined;
  /** Identifier of the open question; `new` opens the form for a new question. */
  question?: string | undefined;
  /** Filters of the statistics: guests with one of these tags, and with one of these diets. */
  tag?: string[] | undefined;
  food?: DietFilter[] | undefined;
  /** Language of the catering report; by default the event's language. */
  language?: Language | undefined;
}

export function readQuestionSearch(given: Record<string, unknown>): QuestionSearch {
  const { view, question, language } = given;
  const tags = texts(given.tag);
  const food = DIETS.filter((diet) => texts(given.food).includes(diet));
  // All search parameters are named here, because the router passes on unnamed parameters without a check.
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
