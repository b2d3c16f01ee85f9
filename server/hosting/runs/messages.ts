import type { Words } from '../../kernel/languages.ts';

/** Texts of runs in answers and, in English, in logs. */
export const messages = {
  noRelease: {
    he: 'לאפליקציה עוד אין גרסה שאפשר להריץ בה פקודה; יש לפרוס אותה קודם.',
    ar: 'ليس للتطبيق إصدار يُشغَّل فيه أمر بعد؛ انشره أولًا.',
    en: 'This application has no release to run a command of yet; deploy it first.',
  },
  onlyFiles: {
    he: 'האתר הזה הוא קבצים בלבד: השרת מגיש אותם בעצמו, ואין בו תהליך שאפשר להריץ לידו פקודה.',
    ar: 'هذا الموقع ملفات فقط: يقدّمها الخادم بنفسه، وليس فيه عملية يُشغَّل أمر بجانبها.',
    en: 'This site is files alone: the server hands them out by itself, and there is no process to run a command beside.',
  },
  noSuchJob: (known: readonly string[]): Words =>
    known.length === 0
      ? {
          he: 'לגרסה הזאת אין משימות קבועות.',
          ar: 'ليس لهذا الإصدار مهام مجدولة.',
          en: 'This release has no jobs.',
        }
      : {
          he: `לגרסה הזאת אין משימה כזאת. יש לה: ${known.join(', ')}.`,
          ar: `ليس لهذا الإصدار مهمة كهذه. له: ${known.join('، ')}.`,
          en: `This release has no such job. It has: ${known.join(', ')}.`,
        },
  tooMany: (most: number): Words => ({
    he: `${most} פקודות כבר ממתינות או פועלות; כדאי לחכות לסיום אחת מהן או לבטל אותה.`,
    ar: `${most} أوامر تنتظر أو تعمل الآن؛ انتظر انتهاء أحدها أو ألغه.`,
    en: `${most} commands are waiting or running already; wait for one to end, or cancel it.`,
  }),
  noSuchRun: {
    he: 'לאפליקציה אין הרצה כזאת.',
    ar: 'لا يوجد للتطبيق تشغيل كهذا.',
    en: 'There is no such run of this application.',
  },
  finished: (status: string): Words => ({
    he: `ההרצה הזאת כבר הסתיימה (${status}).`,
    ar: `انتهى هذا التشغيل من قبل (${status}).`,
    en: `This run is ${status} already.`,
  }),
  commandOrJob: {
    he: 'נדרש אחד מהשניים: command, הפקודה להרצה, או job, שם של משימה קבועה.',
    ar: 'يلزم أحد الاثنين: command، الأمر المراد تشغيله، أو job، اسم مهمة مجدولة.',
    en: 'takes one of the two: command, what to run, or job, the name of one of the release’s jobs.',
  },

  log: {
    began: (command: string): string => `$ ${command}`,
    late: (due: string): string => `was due at ${due}, when no server ran sites`,
    ended: (how: string): string => `the run ${how}`,
    failedToBegin: (why: string): string => why,
  },
};
