import type { Catalogue } from '../../../lib/words.ts';

/** Names of the sections of an event and of their groups. */
export const words = {
  planning: { he: 'תכנון', ar: 'التخطيط', en: 'Planning' },
  guests: { he: 'מוזמנים', ar: 'الضيوف', en: 'Guests' },
  settings: { he: 'הגדרות', ar: 'الإعدادات', en: 'Settings' },
  overview: { he: 'סקירה', ar: 'نظرة عامة', en: 'Overview' },
  invitation: { he: 'הזמנה', ar: 'الدعوة', en: 'Invitation' },
  guestList: { he: 'רשימת מוזמנים', ar: 'قائمة الضيوف', en: 'Guest list' },
  waitingAndRequests: { he: 'ממתינים', ar: 'قائمة الانتظار', en: 'Waiting list' },
  questionsAndMeals: { he: 'שאלות ומנות', ar: 'الأسئلة والوجبات', en: 'Questions' },
  messages: { he: 'הודעות', ar: 'الرسائل', en: 'Messages' },
  vendors: { he: 'ספקים', ar: 'المورّدون', en: 'Vendors' },
  checklist: { he: 'אישורים', ar: 'التصاريح', en: 'Checklist' },
  history: { he: 'היסטוריה', ar: 'السجلّ', en: 'History' },
  details: { he: 'פרטים', ar: 'التفاصيل', en: 'Details' },
  sharing: { he: 'שיתוף', ar: 'المشاركة', en: 'Sharing' },
} as const satisfies Catalogue;
