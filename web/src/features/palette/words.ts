import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'מעבר אל', ar: 'الانتقال إلى', en: 'Go to' },
  hint: {
    he: 'אירוע, מוזמן או דף',
    ar: 'مناسبة أو ضيف أو صفحة',
    en: 'Event, guest or page',
  },
  here: { he: 'באירוע הזה', ar: 'في هذه المناسبة', en: 'In this event' },
  guests: { he: 'מוזמנים', ar: 'الضيوف', en: 'Guests' },
  events: { he: 'אירועים', ar: 'المناسبات', en: 'Events' },
  pages: { he: 'דפים', ar: 'صفحات', en: 'Pages' },
  today: { he: 'היום', ar: 'اليوم', en: 'Today' },
  allEvents: { he: 'האירועים שלי', ar: 'مناسباتي', en: 'My events' },
  newEvent: { he: 'אירוע חדש', ar: 'مناسبة جديدة', en: 'New event' },
  makeExample: { he: 'לנסות אירוע לדוגמה', ar: 'تجربة مناسبة نموذجية', en: 'Try an example event' },
  deletedEvents: { he: 'אירועים שנמחקו', ar: 'مناسبات محذوفة', en: 'Deleted events' },
  vendors: { he: 'הספקים שלי', ar: 'مورّديّ', en: 'My vendors' },
  settings: { he: 'הגדרות', ar: 'الإعدادات', en: 'Settings' },
  reference: { he: 'תיעוד ה־API', ar: 'مرجع الـ API', en: 'API reference' },
  addGuest: { he: 'הוספת מוזמן', ar: 'إضافة ضيف', en: 'Add guest' },
  importGuests: { he: 'ייבוא מוזמנים מקובץ', ar: 'استيراد ضيوف من ملف', en: 'Import guests from a file' },
  newMessage: { he: 'הודעה חדשה', ar: 'رسالة جديدة', en: 'New message' },
  caterer: { he: 'דוח לקייטרינג', ar: 'تقرير الكيترينغ', en: 'Catering report' },
  nothing: { he: 'לא נמצא דבר.', ar: 'لا توجد نتائج.', en: 'Nothing found.' },
} as const satisfies Catalogue;
