import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comingWords, peopleWords } from './people-words.ts';

test('the words for people go with their number', () => {
  for (const [language, people, words] of [
    ['he', 1, 'אדם אחד'],
    ['he', 2, 'שני אנשים'],
    ['he', 3, '3 אנשים'],
    ['ar', 1, 'شخص واحد'],
    ['ar', 2, 'شخصين'],
    ['ar', 3, '3 أشخاص'],
    ['ar', 10, '10 أشخاص'],
    ['ar', 11, '11 شخصًا'],
    ['ar', 99, '99 شخصًا'],
    ['ar', 100, '100 شخص'],
    ['ar', 103, '103 أشخاص'],
    ['en', 1, 'one person'],
    ['en', 2, '2 people'],
  ] as const) {
    assert.equal(peopleWords[language](people), words);
  }
  assert.deepEqual([1, 2].map(comingWords.he), ['רשמנו שמגיע אדם אחד.', 'רשמנו שמגיעים שני אנשים.']);
});
