import type { Catalogue } from '../../../lib/words.ts';

/** Words for the states of guests' answers, and for the numbers of people and invitations in each. */
export const words = {
  yes: { he: 'מגיעים', ar: 'قادمون', en: 'Coming' },
  no: { he: 'לא מגיעים', ar: 'لن يحضروا', en: 'Not coming' },
  maybe: { he: 'מתלבטים', ar: 'متردّدون', en: 'Maybe' },
  waiting: { he: 'ברשימת המתנה', ar: 'في قائمة الانتظار', en: 'Waiting' },
  unanswered: { he: 'טרם ענו', ar: 'لم يردّوا بعد', en: 'No reply yet' },
  peopleN: {
    he: '{n, plural, one {אדם אחד} two {שני אנשים} other {# אנשים}}',
    ar: '{n, plural, zero {لا أحد} one {شخص واحد} two {شخصان} few {# أشخاص} many {# شخصًا} other {# شخص}}',
    en: '{n, plural, one {one person} other {# people}}',
  },
  invitationsN: {
    he: '{n, plural, one {הזמנה אחת} two {שתי הזמנות} other {# הזמנות}}',
    ar: '{n, plural, zero {لا دعوات} one {دعوة واحدة} two {دعوتان} few {# دعوات} many {# دعوة} other {# دعوة}}',
    en: '{n, plural, one {one invitation} other {# invitations}}',
  },
  invitationsFor: {
    he: '{invitations}, הוזמנו: {people}',
    ar: '{invitations}، المدعوون: {people}',
    en: '{invitations} for {people}',
  },
  invitedInAll: {
    he: 'הוזמנו בסך הכול: {people}, {invitations}',
    ar: 'مجموع المدعوين: {people}، {invitations}',
    en: 'Invited in total: {people}, {invitations}',
  },
} as const satisfies Catalogue;
