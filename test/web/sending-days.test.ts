import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedAdvice } from 'simcha-client';
import { sendingAdvice } from '../../web/src/features/messages/api/sending-days.ts';
import { words } from '../../web/src/features/messages/words.ts';
import { sayIn } from '../../web/src/lib/words.ts';

test('advice on a day for a message is about its readers, not about weddings', () => {
  const told = (code: NamedAdvice['code'], name: string, strength: NamedAdvice['strength'] = 'not_held') =>
    sendingAdvice([{ code, name, strength }], sayIn(words, 'en')).map((one) => [
      one.message.replaceAll(/[\u2068\u2069]/g, ''),
      one.strength,
    ]);
  const later = 'Shabbat: those who keep it read this only afterwards.';
  assert.deepEqual(told('shabbat', 'Shabbat'), [[later, 'good_to_know']]);
  assert.deepEqual(told('shabbat', 'Shabbat', 'good_to_know'), []);
  assert.deepEqual(
    told('remembrance_day', 'Remembrance Day')[0]?.[0],
    'Remembrance Day: not a day for cheerful messages.',
  );
  for (const code of ['omer', 'chol_hamoed_pesach', 'three_weeks', 'shabbat_eve', 'purim'] as const)
    assert.deepEqual(told(code, code), []);
});
