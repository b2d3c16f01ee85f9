import type { Catalogue } from '../../../lib/words.ts';

/** Names of the sections of an event, such as guests and vendors. */
export const words = {
  overview: { he: 'סקירה', ar: 'نظرة عامة', en: 'Overview' },
  invitation: { he: 'הזמנה', ar: 'الدعوة', en: 'Invitation' },
  guestList: { he: 'מוזמנים', ar: 'الضيوف', en: 'Guests' },
  waitingAndRequests: { he: 'ממתינים', ar: 'قائمة الانتظار', en: 'Waiting list' },
  questionsAndMeals: { he: 'שאלות ומנות', ar: 'الأسئلة والوجبات', en: 'Questions' },
  messages: { he: 'הודעות', ar: 'الرسائل', en: 'Messages' },
  vendors: { he: 'ספקים', ar: 'المورّدون', en: 'Vendors' },
  checklist: { he: 'אישורים', ar: 'التصاريح', en: 'Checklist' },
  history: { he: 'היסטוריה', ar: 'السجلّ', en: 'History' },
  details: { he: 'פרטים', ar: 'التفاصيل', en: 'Details' },
  sharing: { he: 'שיתוף', ar: 'المشاركة', en: 'Sharing' },
} as const satisfies Catalogue;
