import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHARED_ACCESS } from '../events/access.ts';
import { invitationMail } from './letter.ts';

/** Gendered forms, which address only a man or only a woman. */
const GENDERED = {
  hebrew: [
    'אתה',
    'מוזמן',
    'מוזמנת',
    'יכול',
    'יכולה',
    'רשאי',
    'רשאית',
    'תוכל',
    'תוכלי',
    'תראה',
    'תראי',
    'היכנס',
    'היכנסי',
    'לחץ',
    'לחצי',
    'התעלם',
    'התעלמי',
    'קיבל',
    'שלח',
    'שלחי',
  ],
  arabic: [
    'أنتَ',
    'أنتِ',
    'معكَ',
    'معكِ',
    'يمكنكِ',
    'لكِ',
    'مدعو',
    'مدعوّ',
    'مدعوة',
    'مدعوّة',
    'تستطيع',
    'تستطيعين',
    'ادخل',
    'ادخلي',
    'سجّل',
    'سجّلي',
    'اضغط',
    'اضغطي',
    'تجاهلي',
  ],
} as const;

test('the letter to a co-organizer takes whoever reads it for neither a man nor a woman', () => {
  const event = { title: 'Wedding' };
  for (const language_pref of ['hebrew', 'arabic'] as const) {
    for (const access of SHARED_ACCESS) {
      for (const inviter of ['noa@example.com', undefined]) {
        const invited = { id: '1', email: 'itai@example.com', access };
        const { text } = invitationMail(
          invited as never,
          { ...event, language_pref },
          inviter,
          'https://simcha.example.com',
        );
        const said = new Set<string>(text.match(/[\p{L}\p{M}]+/gu));
        assert.deepEqual(
          GENDERED[language_pref].filter((form) => said.has(form)),
          [],
        );
      }
    }
  }
});
