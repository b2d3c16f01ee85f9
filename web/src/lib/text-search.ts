// Search in lists that the console has in full. Words match as in the server's search for guests
// (server/planning/guests/search-terms.ts); test/web/text-search.test.ts compares the two.

/** Letters that the search treats like other letters, besides those that Unicode decomposes. */
const FOLDED: Readonly<Record<string, string>> = {
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  ٱ: 'ا',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ß: 'ss',
};
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
/** Maximum number of words in a search text; further words are ignored. */
const MOST_WORDS = 8;
/**
 * Minimum numbers of letters and of consonants with which a searched word is also found across spaces and in other
 * spellings.
 */
const LEAST_LETTERS = 5;
const LEAST_CONSONANTS = 4;

/**
 * True if the texts contain all words of a search, in any order and spelling, or if the phone number contains its
 * digits. An empty search matches everything; a search of signs alone matches texts that contain them.
 */
export function matchesSearch(
  search: string,
  texts: readonly (string | null | undefined)[],
  phone?: string | null,
): boolean {
  const typed = search.trim();
  if (typed === '') return true;
  const given = texts.filter((text) => text !== null && text !== undefined);
  const digits = foldDigits(typed.normalize('NFKC')).replace(/[\s\p{Pd}\p{Cf}+().]/gu, '');
  if (/^\d+$/.test(digits) && hasDigits(phone ?? '', digits)) return true;
  const words = lettersOf(typed).split(' ').filter(Boolean);
  if (words.length === 0) return given.some((text) => text.includes(typed));
  const others = words.filter((word) => !FAMILY_WORDS.has(spellingOf(word)));
  const letters = given.map(lettersOf);
  return (others.length > 0 ? others : words)
    .slice(0, MOST_WORDS)
    .every((word) => letters.some((text) => hasWord(text, word)));
}

function hasWord(letters: string, word: string): boolean {
  const words = ` ${letters} ${spellingOf(letters)} `;
  if (words.includes(word) || words.includes(` ${spellingOf(word)} `)) return true;
  const consonants = consonantsOf(withoutPrefixes(word)).replace(/[אה]$/, '');
  const isLong = word.length >= LEAST_LETTERS && consonants.length >= LEAST_CONSONANTS;
  return isLong && consonantsOf(letters).includes(consonants);
}

/** Words of a text with a space between them, without accents, vowel signs, punctuation, capitals and final letters. */
function lettersOf(text: string): string {
  return foldDigits(text.replaceAll('\u00B4', '').normalize('NFKD'))
    .replace(/[\p{M}\p{Cf}\p{Lm}"'.`ءʼ׳״‘-‟′-‷]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/[ךםןףץٱةىیکøłđß]/g, (letter) => FOLDED[letter] ?? letter)
    .replace(/([וי])\1+/g, '$1')
    .trim();
}

function spellingOf(letters: string): string {
  return withoutPrefixes(letters)
    .replace(/(?<=[^ ])[וי](?=[^ ])/g, '')
    .replace(/א(?= |$)/g, 'ה');
}

/** Removes the Hebrew and Arabic prefixes for "and" and "the", which are written as parts of a word. */
function withoutPrefixes(letters: string): string {
  return letters
    .replace(/(^| )[וو](?=[^ ]{3})/g, '$1')
    .replace(/(^| )(?:ה(?=[^ וי][^ ]{2})|ال(?=[^ ]{2}))/g, '$1');
}

function consonantsOf(letters: string): string {
  return letters.replace(/[ וי]/g, '');
}

function hasDigits(phone: string, digits: string): boolean {
  return phone.replace(/\D/g, '').includes(digits) || ownDigits(phone).includes(ownDigits(digits));
}

/** Digits of a phone number without the country code and leading zeros. */
function ownDigits(phone: string): string {
  return phone
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/^972(?=\d)0?(?=\d)/, '');
}

function foldDigits(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}
