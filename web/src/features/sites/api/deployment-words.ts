import type { Catalogue } from '../../../lib/words.ts';

/** Words about a deployment, for its page, lists and the site's overview. */
export const words = {
  deploy: { he: 'פריסה', ar: 'نشر', en: 'Deployment' },
  rollback: { he: 'חזרה לגרסה קודמת', ar: 'رجوع إلى إصدار سابق', en: 'Rollback' },
  promote: { he: 'קידום של גרסה', ar: 'ترقية إصدار', en: 'Promotion' },
  fromPreview: { he: 'מהתצוגה {preview}', ar: 'من المعاينة {preview}', en: 'From the preview {preview}' },
  fromSite: { he: 'מהאתר {site}', ar: 'من الموقع {site}', en: 'From the site {site}' },
  restart: { he: 'הפעלה מחדש', ar: 'إعادة تشغيل', en: 'Restart' },
  start: { he: 'הפעלה', ar: 'تشغيل', en: 'Start' },
  uploaded: {
    he: '{n, plural, one {תיקייה שהועלתה, קובץ אחד} two {תיקייה שהועלתה, שני קבצים} other {תיקייה שהועלתה, # קבצים}}',
    ar: '{n, plural, zero {مجلد مرفوع، لا ملفات} one {مجلد مرفوع، ملف واحد} two {مجلد مرفوع، ملفان} few {مجلد مرفوع، # ملفات} many {مجلد مرفوع، # ملفًا} other {مجلد مرفوع، # ملف}}',
    en: '{n, plural, one {Uploaded folder, one file} other {Uploaded folder, # files}}',
  },
} as const satisfies Catalogue;
