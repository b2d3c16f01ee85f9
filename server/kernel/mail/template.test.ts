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

test('a phone number and an address run left to right in any words, and a paragraph the way of its own', () => {
  const { html } = writeLetter({
    language: 'ar',
    title: 't',
    glimpse: 'متى وأين',
    paragraphs: [
      'هاتف 050-123-4567، https://example.com/a?b=c.',
      'Thank you, +1 415 555 2671!',
      '15.6.2027, 19:30',
    ],
    footer: 'f',
  });
  assert.ok(
    html.includes(
      '<p dir="auto">هاتف <bdi dir="ltr">050-123-4567</bdi>، <bdi dir="ltr">https://example.com/a?b=c</bdi>.</p>',
    ),
  );
  assert.ok(html.includes('<p dir="auto">Thank you, <bdi dir="ltr">+1 415 555 2671</bdi>!</p>'));
  assert.ok(html.includes('<p dir="auto">15.6.2027, 19:30</p>'));
  assert.ok(html.indexOf('متى وأين') < html.indexOf('<main>'), 'a list of mails shows it first');
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
