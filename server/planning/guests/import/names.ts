import { plainLetters } from '../letters.ts';

/** A name as people would call it the same: without capitals, vowel signs, quotes and the order of its words. */
export function nameForm(name: string): string {
  return wordsOf(name).sort().join(' ');
}

/** Whether two names, in the same letters, have no word in common: hardly one person’s. */
export function areOthers(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), new Set(wordsOf(other))];
  if (words.length === 0 || others.size === 0) return false;
  return scriptOf(one) === scriptOf(other) && !words.some((word) => others.has(word));
}

function wordsOf(name: string): string[] {
  return plainLetters(name)
    .replace(/["'`´״׳’”ـ]/g, '')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function scriptOf(name: string): string {
  const scripts = { hebrew: /\p{Script=Hebrew}/u, arabic: /\p{Script=Arabic}/u, latin: /\p{Script=Latin}/u };
  return Object.entries(scripts)
    .filter(([, letters]) => letters.test(name))
    .map(([script]) => script)
    .join();
}
