// Forms of a guest's name that do not depend on how it is spelled. The functions of the same names in the database
// (server/migrations/0004-guests.ts) give the same; name-form.test.ts compares them.

/** Maximum length of a name that is compared to others, in letters after Unicode decomposition. */
const LONGEST = 200;

/** Letters of names that are replaced by others: final letters, forms of Arabic and Latin letters, digits, capitals. */
const FOLDED = new Map(
  [
    ['ךםןףץװױײ', 'כמנפצווי'],
    ['ٱةىیک', 'اهييك'],
    ['٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'],
    ['øØłŁđĐħĦıðÐ', 'oollddhhidd'],
    ['АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЄҐ', 'абвгдежзийклмнопрстуфхцчшщъыьэюяієґ'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'],
  ].flatMap(([from = '', to = '']) => Array.from(from, (letter, at) => [letter, to[at] ?? ''] as const)),
);
const FOLDS = new RegExp(`[${[...FOLDED.keys()].join('')}]`, 'g');

/** Signs that are removed from names before names are compared. */
const REMOVED = anyOf(
  String.raw`\u0022\u0027\u002E\u0060\u05F3\u05F4\u2018-\u201F\u2032-\u2037`, // quotes, geresh, full stops
  String.raw`\u02B0-\u036F\u0483-\u0489`, // accents
  String.raw`\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7`, // niqqud
  String.raw`\u0610-\u061A\u0621\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED`, // Arabic vowel signs, hamza, tatweel
  String.raw`\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF`, // invisible signs
);
/** Signs that separate the words of a name. */
const SEPARATORS = anyOf(
  String.raw`\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7`, // ASCII and Latin signs
  String.raw`\u05BE\u05C0\u05C3\u05C6`, // maqaf and other Hebrew punctuation
  String.raw`\u060C\u061B\u061F\u066A-\u066D\u06D4\u06DD\u06DE\u06E9`, // Arabic punctuation
  String.raw`\u2000-\u2BFF\u2E00-\u2E7F\u3000-\u3003\u3008-\u3020\u{1F000}-\u{1FAFF}`, // other punctuation, symbols, pictures
);

/** Words of a name, with a space between them, in letters without accents, vowel signs, punctuation and capitals. */
export function nameLetters(name: string): string {
  const whole = name.replaceAll('\u00B4', '').normalize('NFKD');
  const text = whole.length > LONGEST ? Array.from(whole).slice(0, LONGEST).join('') : whole;
  return text
    .replace(REMOVED, '')
    .replace(FOLDS, (letter) => FOLDED.get(letter) ?? letter)
    .replaceAll('ß', 'ss')
    .replace(SEPARATORS, ' ')
    .replace(/([וי])\1+/g, '$1')
    .replace(/^ +| +$/g, '');
}

function anyOf(...ranges: readonly string[]): RegExp {
  return new RegExp(`[${ranges.join('')}]+`, 'gu');
}

/**
 * Words of a name (in the letters of `nameLetters`) in one spelling: `דויד` like `דוד`, `הכהן` like `כהן`, `סבתא` like
 * `סבתה`, and `ורבקה` ("and Rebecca") like `רבקה`.
 */
export function nameSpelling(letters: string): string {
  return (
    withoutPrefixes(letters)
      // Hebrew vowel letters within a word are removed, because one may write a name without them.
      .replace(/(?<=[^ ])[וי](?=[^ ])/g, '')
      .replace(/א(?= |$)/g, 'ה')
  );
}

/**
 * Removes "and" and "the" from the beginning of words, to which they are joined. `הילה` and `הוד` do not begin with
 * "the".
 */
export function withoutPrefixes(letters: string): string {
  return letters
    .replace(/(^| )[וو](?=[^ ]{3})/g, '$1')
    .replace(/(^| )(?:ה(?=[^ וי][^ ]{2})|ال(?=[^ ]{2}))/g, '$1');
}

/** Letters of a name without spaces and Hebrew vowel letters, so that `bendavid` finds `Ben David`. */
export function joinedLetters(letters: string): string {
  return letters.replace(/[ וי]/g, '');
}

/** Words in a name that say "family" or join two names, in one spelling. */
const FAMILY_WORDS: ReadonlySet<string> = new Set([
  'משפחת',
  'משפחה',
  'משפ',
  'عايله',
  'family',
  'fam',
  'the',
  'and',
]);

/** Removes words for "family" from the words of a name, unless the name has no other words. */
export function withoutFamilyWords(words: readonly string[]): readonly string[] {
  const others = words.filter((word) => !FAMILY_WORDS.has(nameSpelling(word)));
  return others.length > 0 ? others : words;
}

/** Words that never stand alone in a name. They belong to the next word. */
const FIRST_PARTS = /(^| )(אבו|עבד|ابو|عبد|abu|abd) (?=[^ ])/g;

/** Key of a name, the same for names that are likely to be one person's or family's: `משפחת כהן` and `כהן`. */
export function nameKey(name: string): string {
  const words = nameSpelling(nameLetters(name).replace(FIRST_PARTS, '$1$2'))
    .split(' ')
    .filter((word) => word !== '');
  return [...withoutFamilyWords(words)].sort(inBytes).join(' ') || name;
}

/** Compares two texts byte by byte, which is the order in which databases sort. */
function inBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
