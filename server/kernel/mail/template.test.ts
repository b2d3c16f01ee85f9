import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGES, preferredLanguage } from '../languages.ts';
import { writeLetter } from './template.ts';

test('whatever the words, they stay words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...LANGUAGES), (words, language) => {
      const evil = `<script>"'&${words}`;
      const letter = { language, title: evil, paragraphs: [evil], code: evil, footer: evil };
      const link = { label: evil, url: `https://x/?${evil}` };
      const { html, text } = writeLetter({ ...letter, action: link, footerLink: link });
      assert.doesNotMatch(html, /<script/);
      assert.ok(text.includes(evil));
    }),
  );
});

test('Hebrew and Arabic run right to left, English left to right, a code always left to right', () => {
  const directions = LANGUAGES.map((language) => {
    const { html } = writeLetter({ language, title: 't', paragraphs: [], code: 'ABCD-EFGH', footer: 'f' });
    assert.match(html, /<div class="code" dir="ltr">ABCD-EFGH<\/div>/);
    return /<html lang="(..)" dir="(...)">/.exec(html)?.slice(1).join(' ');
  });
  assert.deepEqual(directions, ['he rtl', 'ar rtl', 'en ltr']);
});

test('the language is the one liked best of ours', () => {
  assert.equal(preferredLanguage('he-IL,he;q=0.9,en;q=0.8'), 'he');
  assert.equal(preferredLanguage('fr, ar;q=0.5, en;q=0.4'), 'ar');
  assert.equal(preferredLanguage('iw'), 'he');
  assert.equal(preferredLanguage('fr', 'he'), 'he');
  assert.equal(preferredLanguage('he;q=0, en;q=0.1'), 'en');
  assert.equal(preferredLanguage(undefined, 'ar'), 'ar');
  fc.assert(fc.property(fc.string(), (header) => assert.ok(LANGUAGES.includes(preferredLanguage(header)))));
});
