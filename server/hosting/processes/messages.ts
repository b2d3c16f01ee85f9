import type { Words } from '../../kernel/languages.ts';

/** Texts about an application's processes. */
export const messages = {
  count: (most: number): Words => ({
    he: `נדרש מספר שלם מ־0 עד ${most}.`,
    ar: `يلزم عدد صحيح من 0 إلى ${most}.`,
    en: `must be a whole number from 0 to ${most}.`,
  }),
  noSuchProcess: (known: readonly string[]): Words =>
    known.length === 0
      ? {
          he: 'שם של תהליך: אותיות לטיניות קטנות, ספרות ומקפים.',
          ar: 'اسم عملية: أحرف لاتينية صغيرة وأرقام وشرطات.',
          en: 'must be the name of a process: lower-case Latin letters, digits and hyphens.',
        }
      : {
          he: `לאפליקציה אין תהליך כזה. יש לה: ${known.join(', ')}.`,
          ar: `ليس للتطبيق عملية كهذه. له: ${known.join('، ')}.`,
          en: `is not a process of this application. It has: ${known.join(', ')}.`,
        },
  tooManyNames: (most: number): Words => ({
    he: `לכל היותר ${most} תהליכים.`,
    ar: `${most} عملية على الأكثر.`,
    en: `must name at most ${most} processes.`,
  }),
  onlyFiles: {
    he: 'זה אתר סטטי: אין לו תהליכים, ולכן אין מה להכפיל.',
    ar: 'هذا موقع ثابت: ليس له عمليات لتوسيعها.',
    en: 'This is a static site: it has no processes to scale.',
  },
};
