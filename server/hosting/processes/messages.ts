import type { Words } from '../../kernel/languages.ts';

/** Texts about an application's processes. */
export const messages = {
  count: (most: number): Words => ({
    he: `נדרש מספר שלם מ־0 עד ${most}, או null.`,
    ar: `يلزم عدد صحيح من 0 إلى ${most}، أو null.`,
    en: `must be a whole number from 0 to ${most}, or null.`,
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
          en: `is no process of this application, which has: ${known.join(', ')}.`,
        },
  tooManyNames: (most: number): Words => ({
    he: `לכל היותר ${most} תהליכים.`,
    ar: `${most} عملية على الأكثر.`,
    en: `takes ${most} processes at most.`,
  }),
  onlyFiles: {
    he: 'האתר הזה הוא קבצים בלבד: השרת מגיש אותם בעצמו, ואין מה להכפיל.',
    ar: 'هذا الموقع ملفات فقط: يقدّمها الخادم بنفسه، ولا شيء يُضاعَف.',
    en: 'This is a static site: it has no processes to scale.',
  },
};
