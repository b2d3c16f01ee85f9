import { type I18n, setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { LANGUAGES, type Language } from './languages.ts';

/** Sentence in each language, in ICU MessageFormat: `{n, plural, one {guest} other {# guests}}`. */
export type Words = Readonly<Record<Language, string>>;
export type Catalogue = Readonly<Record<string, Words>>;

type Category = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';

/** Names of a sentence's parameters. Texts in the braces of a plural's branch are not parameters. */
export type ParameterNames<
  S extends string,
  Found extends string = never,
> = S extends `${infer Before}{${infer After}`
  ? Before extends `${string}${Category} ` | `${string}=${number} `
    ? ParameterNames<After, Found>
    : After extends `${infer Name}}${infer Rest}`
      ? Name extends `${infer First},${string}`
        ? ParameterNames<After extends `${string},${infer Tail}` ? Tail : Rest, Found | First>
        : ParameterNames<Rest, Found | Name>
      : Found
  : Found;

type Value = string | number;
type SentenceArguments<S extends string> = [ParameterNames<S>] extends [never]
  ? []
  : [values: Record<ParameterNames<S>, Value>];

/** Function that returns a sentence of a catalogue. The English sentence determines the types of its parameters. */
export type Say<C extends Catalogue> = <K extends keyof C & string>(
  key: K,
  ...values: SentenceArguments<C[K]['en']>
) => string;

const translators: Readonly<Record<Language, I18n>> = {
  he: createTranslator('he'),
  ar: createTranslator('ar'),
  en: createTranslator('en'),
};
const cache = new WeakMap<
  Catalogue,
  Map<Language, (key: string, values?: Record<string, Value>) => string>
>();
let catalogues = 0;

/** Returns the sentences of a catalogue in a language. Each sentence is compiled when it is first used. */
export function sayIn<C extends Catalogue>(catalogue: C, language: Language): Say<C> {
  const cached = cache.get(catalogue) ?? new Map();
  cache.set(catalogue, cached);
  const say = cached.get(language) ?? createSay(catalogue, language);
  cached.set(language, say);
  return say as Say<C>;
}

function createSay(catalogue: Catalogue, language: Language) {
  const translator = translators[language];
  const compiled = new Set<string>();
  catalogues += 1;
  const own = `${catalogues}.`;
  return (key: string, values: Record<string, Value> = {}) => {
    const id = own + key;
    if (!compiled.has(key)) {
      compiled.add(key);
      translator.load(language, { [id]: compileMessage(catalogue[key]?.[language] ?? key) });
    }
    return translator._(id, isolated(values));
  };
}

function createTranslator(language: Language): I18n {
  const i18n = setupI18n();
  i18n.load(language, {});
  i18n.activate(language, [LANGUAGES[language].locale]);
  return i18n;
}

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** Isolates the values in a sentence, so that a name in one script does not reorder a sentence in another script. */
function isolated(values: Record<string, Value>): Record<string, Value> {
  const wrapped = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? FIRST_STRONG_ISOLATE + value + POP_ISOLATE : value,
  ]);
  return Object.fromEntries(wrapped);
}
