import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPhone } from '../../web/src/lib/format-phone.ts';

test('a phone number of Israel is shown as it is dialled there, and any other as it is stored', () => {
  const shown = {
    '+972501234567': '050-123-4567',
    '+972771234567': '077-123-4567',
    '+97231234567': '03-123-4567',
    '+442079460958': '+442079460958',
    '+9721700123123': '+9721700123123',
    '': '',
  };
  for (const [kept, text] of Object.entries(shown)) assert.equal(formatPhone(kept), text);
});
