import type { Catalogue } from '../lib/words.ts';

export const words = {
  close: { he: 'סגירה', ar: 'إغلاق', en: 'Close' },
  language: { he: 'שפה', ar: 'اللغة', en: 'Language' },
  nothingTitle: { he: 'אין כאן כלום', ar: 'لا شيء هنا', en: 'There is nothing here' },
  nothing: {
    he: 'הכתובת אולי השתנתה, או שהדף לא שלכם.',
    ar: 'ربّما تغيّر العنوان، أو أن الصفحة ليست لكم.',
    en: 'The address may have changed, or the page isn’t yours.',
  },
  home: { he: 'לדף הראשי', ar: 'إلى الصفحة الرئيسية', en: 'To the home page' },
} as const satisfies Catalogue;
