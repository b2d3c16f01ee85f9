import {
  joinedLetters,
  nameLetters,
  nameSpelling,
  withoutFamilyWords,
  withoutPrefixes,
} from './name-form.ts';

/** Maximum number of words of a search for guests; further words are ignored. */
const MOST_WORDS = 8;

/**
 * Minimum length of a searched word, and of its consonants, to be found in any part of a name and across its spaces. A
 * shorter word is found as it is written, or as a whole word in another spelling: `לוי` would otherwise find every
 * `רחלי`.
 */
const LEAST_LETTERS = 5;
const LEAST_CONSONANTS = 4;

/**
 * Part of a search for guests, such as a word. It is found if the words of a guest's texts (database function
 * `guest_search_words`) contain one of `inWords`, or their joined letters (`guest_search_joined`) contain `inJoined`.
 */
export interface SearchTerm {
  inWords: readonly string[];
  inJoined?: string;
}

/**
 * Parts of a search for guests, each of which has to be found: its words without those for "family", or the digits of a
 * phone number. A search without letters and digits has no parts.
 */
export function readSearch(search: string): SearchTerm[] {
  const typed = search.normalize('NFKC');
  if (PHONE.test(typed)) return [{ inWords: [storedDigits(typed)] }];
  const words = nameLetters(typed.replace(NUMBER, storedDigits))
    .split(' ')
    .filter((word) => word !== '');
  return withoutFamilyWords(words).slice(0, MOST_WORDS).map(termOf).sort(byCost);
}

/** Pattern for a search that is a phone number or a part of one; `\p{Nd}` are digits of any script. */
const PHONE = /^[\p{Nd}\s\p{Pd}\p{Cf}+().]*\p{Nd}[\p{Nd}\s\p{Pd}\p{Cf}+().]*$/u;
/** Pattern for a phone number among the words of a search: `כהן 052-111`. */
const NUMBER = /\p{Nd}(?:[\p{Nd}\p{Pd}().]*\p{Nd})?/gu;

/**
 * Digits of a searched phone number as in stored numbers, which begin with the country code and have no zero after it.
 */
function storedDigits(number: string): string {
  return nameLetters(number)
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/^9720(?=\d)/, '972');
}

/**
 * Compares two terms of a search. The term that rules out more guests comes first: a term with few texts, then one with
 * long texts.
 */
function byCost(one: SearchTerm, other: SearchTerm): number {
  const length = ({ inWords: [text = ''], inJoined = text }: SearchTerm) => inJoined.length;
  return one.inWords.length - other.inWords.length || length(other) - length(one);
}

function termOf(letters: string): SearchTerm {
  if (/^\d+$/.test(letters)) return { inWords: [letters] };
  const consonants = joinedLetters(withoutPrefixes(letters)).replace(/[אה]$/, '');
  if (letters.length >= LEAST_LETTERS && consonants.length >= LEAST_CONSONANTS)
    return { inWords: [], inJoined: consonants };
  const spelling = nameSpelling(letters);
  return { inWords: spelling === letters ? [letters] : [letters, ` ${spelling} `] };
}
