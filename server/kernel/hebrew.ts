/**
 * Hebrew prefix before a name, as in `לקייטרינג הים`, `ל״ים״` and `ל־DJ אבי`: joined by a maqaf if the name doesn't
 * begin with a Hebrew letter.
 */
export function addHebrewPrefix(prefix: string, name: string): string {
  return /^[\p{P}\p{Cf}]*\p{Script=Hebrew}/u.test(name) ? `${prefix}${name}` : `${prefix}־${name}`;
}
