import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messages } from './messages.ts';

test('a vendor’s name follows a Hebrew prefix with a maqaf where it is not Hebrew', () => {
  const { payment_overdue, payment_on_closed_day, past_curfew } = messages.warnings;
  const why = { he: 'פסח', ar: 'عيد الفصح', en: 'Passover' };
  const said = (vendor: string) => [
    payment_overdue(vendor, '2027-04-22').he,
    payment_on_closed_day(vendor, '2027-04-22', why, '2027-04-20').he,
    past_curfew(vendor, '23:00').he,
  ];
  const closed = (to: string) =>
    `תשלום ${to} חל ב־22 באפריל 2027 (פסח), כשהבנקים סגורים; יום העבודה האחרון לפניו הוא 20 באפריל 2027.`;
  assert.deepEqual(said('DJ Avi'), [
    'תשלום ל־DJ Avi היה אמור להתבצע עד 22 באפריל 2027.',
    closed('ל־DJ Avi'),
    'ההזמנה של DJ Avi נמשכת אחרי שעת סיום הרעש (23:00).',
  ]);
  assert.deepEqual(said('גן'), [
    'תשלום לגן היה אמור להתבצע עד 22 באפריל 2027.',
    closed('לגן'),
    'ההזמנה של גן נמשכת אחרי שעת סיום הרעש (23:00).',
  ]);
});
