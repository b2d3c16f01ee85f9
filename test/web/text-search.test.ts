import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { joinedLetters, nameLetters, nameSpelling } from '../../server/planning/guests/name-form.ts';
import { readSearch } from '../../server/planning/guests/search-terms.ts';
import { matchesSearch } from '../../web/src/lib/text-search.ts';
import { campaign } from '../support/campaign.ts';

/** What the server's search for guests finds. */
function isFoundByServer(search: string, name: string): boolean {
  const letters = nameLetters(name);
  const words = ` ${letters} ${nameSpelling(letters)} `;
  return readSearch(search).every(
    ({ inWords, inJoined }) =>
      inWords.some((text) => words.includes(text)) ||
      (inJoined !== undefined && joinedLetters(letters).includes(inJoined)),
  );
}

test('the console finds in its own lists what the server finds among guests', () => {
  const unit = fc.constantFrom(
    ...'אבגדהוזחטיכלמנסעפצקרשתךםןףץויוי',
    ...'ابتجدلمنوىيةأإآٱ',
    ...'abdeknorvABDÉéüñøłß',
    ...'  -־\'"׳״’.,\u05b8\u064e\u0640',
  );
  const name = fc.array(fc.string({ unit, maxLength: 8 }), { minLength: 1, maxLength: 4 });
  const part = fc.record({ from: fc.nat(6), length: fc.integer({ min: 1, max: 12 }), drop: fc.nat(12) });
  fc.assert(
    fc.property(
      name,
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.string({ unit, maxLength: 5 }),
      (words, parts, other) => {
        const whole = words.join(' ');
        const search = parts
          .map(({ from, length, drop }) =>
            whole.slice(from, from + length).replace(whole[from + drop] ?? '', ''),
          )
          .join(' ');
        for (const typed of [search, `${search} ${other}`]) {
          if (nameLetters(typed) === '') continue;
          assert.equal(
            matchesSearch(typed, [whole]),
            isFoundByServer(typed, whole),
            JSON.stringify([typed, whole]),
          );
        }
      },
    ),
    { numRuns: campaign(1_000, 20_000) },
  );
});

test('a search in several texts has its words in any of them, or digits of the number', () => {
  const texts = ['צילום רגעים', 'דנה כהן', null, 'אלבום 30 עמ׳'];
  for (const search of [
    '',
    ' ',
    'כהן צילום',
    'רגעימ',
    'כוהן',
    '050-123',
    '+972 50',
    '(050) 123',
    '3456',
    'אלבום 30',
    '׳',
  ]) {
    assert.ok(matchesSearch(search, texts, '+972501234567'), search);
  }
  for (const search of ['לוי', 'כהן לוי', '052', '%', '99']) {
    assert.ok(!matchesSearch(search, texts, '+972501234567'), search);
  }
});
