/** A Hebrew prefix before a name, as in `לקייטרינג הים`, `ל״ים״` and `ל־DJ אבי`: a maqaf where no Hebrew letter follows. */
export function prefixed(prefix: string, name: string): string {
  return /^[\p{P}\p{Cf}]*\p{Script=Hebrew}/u.test(name) ? `${prefix}${name}` : `${prefix}־${name}`;
}
