import type { Words } from '../languages.ts';
import { Refusal } from '../refusal.ts';

/** Maximum number of ids that the error about an ambiguous name lists. */
const MOST_LISTED = 5;

/**
 * The one thing to which a name in a request's path fits; undefined if there is none. Throws a 404 that lists their ids
 * if it fits several.
 */
export function onlyNamed<T>(found: readonly T[], idOf: (one: T) => string): T | undefined {
  if (found.length > 1)
    throw new Refusal(404, 'ambiguous_name', ambiguousName(found.slice(0, MOST_LISTED).map(idOf)));
  return found[0];
}

function ambiguousName(ids: readonly string[]): Words {
  const list = ids.join(', ');
  return {
    he: `השם הזה מתאים לכמה; ציינו את המזהה של אחד מהם: ${list}.`,
    ar: `هذا الاسم يطابق أكثر من واحد؛ اذكر معرّف أحدها: ${list}.`,
    en: `Several have this name; give the id of one: ${list}.`,
  };
}
