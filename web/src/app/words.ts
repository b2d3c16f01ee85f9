import type { Catalogue } from '../lib/words.ts';

export const words = {
  skip: { he: 'דילוג לתוכן', ar: 'الانتقال إلى المحتوى', en: 'Skip to content' },
  goTo: { he: 'מעבר לכל מקום (Ctrl+K)', ar: 'الانتقال إلى أي مكان (Ctrl+K)', en: 'Go anywhere (Ctrl+K)' },
  pages: { he: 'דפים', ar: 'الصفحات', en: 'Pages' },
  areas: { he: 'תכנון ואתרים', ar: 'التخطيط والمواقع', en: 'Planning and sites' },
  planning: { he: 'תכנון', ar: 'التخطيط', en: 'Planning' },
  sites: { he: 'אתרים', ar: 'المواقع', en: 'Sites' },
  mySites: { he: 'האתרים שלי', ar: 'مواقعي', en: 'My sites' },
  newSite: { he: 'אתר חדש', ar: 'موقع جديد', en: 'New site' },
  today: { he: 'היום', ar: 'اليوم', en: 'Today' },
  events: { he: 'האירועים שלי', ar: 'مناسباتي', en: 'My events' },
  account: { he: 'חשבון', ar: 'الحساب', en: 'Account' },
  vendors: { he: 'הספקים שלי', ar: 'مورّديّ', en: 'My vendors' },
  settings: { he: 'הגדרות', ar: 'الإعدادات', en: 'Settings' },
  platform: { he: 'הפלטפורמה', ar: 'المنصّة', en: 'Platform' },
  reference: { he: 'תיעוד ה־API', ar: 'مرجع الـ API', en: 'API reference' },
  signOut: { he: 'יציאה', ar: 'خروج', en: 'Sign out' },
} as const satisfies Catalogue;
