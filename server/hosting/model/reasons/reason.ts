import type { Language, Words } from '../../../kernel/languages.ts';
import { plainText } from '../../logs/plain-text.ts';
import { reasonCatalogue } from './messages.ts';

/** Reason for an outcome as plain data: stored and passed on unchanged, and put into words only for display. */
export interface Reason {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number | Reason>>;
}

type Catalogue = typeof reasonCatalogue;
export type ReasonCode = keyof Catalogue;

/**
 * Parameters of a reason: those of its sentence. A parameter that is text in the sentence may be another reason here.
 */
type Params<C extends ReasonCode> = Catalogue[C] extends (said: infer Said) => Words
  ? [{ [Name in keyof Said]: Exclude<Said[Name], undefined> extends Words ? Reason : Said[Name] }]
  : [];

export function reason<C extends ReasonCode>(code: C, ...params: Params<C>): Reason {
  const [given = {}] = params as [Reason['params']?];
  return {
    code,
    params: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, storable(value)])),
  };
}

/** Puts a reason into words. An unknown code, or unknown parameters, give the code itself. */
export function describeReason(given: Reason, language: Language): string {
  return wordsOf(given)[language];
}

function wordsOf({ code, params }: Reason): Words {
  const known: Words | ((said: object) => Words) | undefined = Object.hasOwn(reasonCatalogue, code)
    ? (reasonCatalogue[code as ReasonCode] as Words | ((said: object) => Words))
    : undefined;
  const byCode = { he: code, ar: code, en: code };
  if (typeof known !== 'function') return known ?? byCode;
  try {
    return known(Object.fromEntries(Object.entries(params).map(([name, value]) => [name, said(value)])));
  } catch {
    return byCode;
  }
}

function said(value: Reason['params'][string]): string | number | Words {
  return typeof value === 'object' ? wordsOf(value) : value;
}

/**
 * Removes characters that databases refuse, or that control the reader's terminal, from text that came from outside.
 */
function storable(value: Reason['params'][string]): Reason['params'][string] {
  return typeof value === 'string' ? plainText(value) : value;
}
