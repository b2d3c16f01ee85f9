import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, preferredLanguage } from '../../kernel/languages.ts';
import { pageTexts } from './messages.ts';

test('a page speaks the language its reader likes best', () => {
  for (const [header, language] of [
    ['he-IL,he;q=0.9,en;q=0.8', 'he'],
    ['iw', 'he'],
    ['ar-EG', 'ar'],
    ['en-US,en;q=0.9', 'en'],
    ['en;q=0.5, ar;q=0.7', 'ar'],
    ['fr, he;q=0.3', 'he'],
    ['he;q=0, en;q=0.1', 'en'],
    ['fr', 'en'],
    ['', 'en'],
    ['*', 'en'],
    [';;;,q=,he;q=x', 'he'],
  ] as const) {
    assert.equal(preferredLanguage(header), language, header);
  }
  assert.equal(preferredLanguage(undefined), 'en');
});

test('every problem is told in every language', () => {
  const problems = Object.keys(pageTexts.en);
  for (const language of LANGUAGES) {
    assert.deepEqual(Object.keys(pageTexts[language]), problems, language);
    for (const { title, text } of Object.values(pageTexts[language])) assert.ok(title && text);
  }
});
