import type { Words } from '../../kernel/languages.ts';

/** Texts of runs in answers and, in English, in logs. */
export const messages = {
  noRelease: {
    he: 'לאפליקציה עוד אין גרסה שאפשר להריץ בה פקודה; יש לפרוס אותה קודם.',
    ar: 'ليس للتطبيق إصدار يُشغَّل فيه أمر بعد؛ انشره أولًا.',
    en: 'This application has no release yet to run a command in; deploy it first.',
  },
  onlyFiles: {
    he: 'זה אתר סטטי: אי אפשר להריץ בו פקודות.',
    ar: 'هذا موقع ثابت: لا يمكن تشغيل أوامر فيه.',
    en: 'This is a static site: commands can’t be run in it.',
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
    en: `${most} commands are already waiting or running; wait for one to end, or cancel one.`,
  }),
  noSuchRun: {
    he: 'לאפליקציה אין הרצה כזאת.',
    ar: 'لا يوجد للتطبيق تشغيل كهذا.',
    en: 'This application has no such run.',
  },
  finished: (status: string): Words => ({
    he: `ההרצה הזאת כבר הסתיימה (${status}).`,
    ar: `انتهى هذا التشغيل من قبل (${status}).`,
    en: `This run has already ended (${status}).`,
  }),
  commandOrJob: {
    he: 'נדרש אחד מהשניים: command, הפקודה להרצה, או job, שם של משימה קבועה.',
    ar: 'يلزم أحد الاثنين: command، الأمر المراد تشغيله، أو job، اسم مهمة مجدولة.',
    en: 'must contain either command, the command to run, or job, the name of one of the release’s jobs.',
  },

  log: {
    began: (command: string): string => `$ ${command}`,
    late: (due: string): string => `was due at ${due}, but no server ran sites then`,
    ended: (how: string): string => `the run ${how}`,
    failedToBegin: (why: string): string => why,
  },
};
