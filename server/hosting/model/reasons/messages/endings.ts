import type { Words } from '../../../../kernel/languages.ts';
import { arabicSeconds, type Nested } from './parts.ts';

/**
 * Exit codes that the shell itself sets:
 * https://pubs.opengroup.org/onlinepubs/9699919799/utilities/V3_chap02.html#tag_18_08_02
 */
const SHELL_EXIT_CODES: Readonly<Record<number, Words>> = {
  126: {
    he: ' (אין הרשאה להריץ את הפקודה)',
    ar: ' (لا يوجد إذن بتشغيل الأمر)',
    en: ' (the command is not executable)',
  },
  127: { he: ' (הפקודה לא נמצאה)', ar: ' (الأمر غير موجود)', en: ' (command not found)' },
};

/** Reasons for the end of a command or a site, such as limits of memory, processes and disk that it exceeded. */
export const endingReasons = {
  exited: ({ code }: { code: number }): Words => ({
    he: `יציאה עם קוד ${code}${SHELL_EXIT_CODES[code]?.he ?? ''}`,
    ar: `الخروج بالرمز ${code}${SHELL_EXIT_CODES[code]?.ar ?? ''}`,
    en: `exited with code ${code}${SHELL_EXIT_CODES[code]?.en ?? ''}`,
  }),
  killed: ({ signal }: { signal: string }): Words => ({
    he: `הפסקה באות ${signal}`,
    ar: `الإنهاء بالإشارة ${signal}`,
    en: `was killed by ${signal}`,
  }),
  helper_ended: ({ name, how }: { name: string; how: Words }): Words => ({
    he: `עצירה, כי תהליך העזר ${name} של השרת הסתיים: ${how.he}`,
    ar: `الإيقاف لأن عملية الخادم المساعدة ${name} انتهت: ${how.ar}`,
    en: `was stopped because the server’s helper process ${name} ${how.en}`,
  }),
  cant_run: ({ error }: { error: string }): Words => ({
    he: `ההפעלה נכשלה: ${error}`,
    ar: `تعذّر التشغيل: ${error}`,
    en: `could not be run: ${error}`,
  }),
  silent: ({ seconds }: { seconds: number }): Words => ({
    he: `אין תגובה כבר ${seconds} שניות`,
    ar: `لا استجابة منذ ${arabicSeconds(seconds)}`,
    en: `did not respond for ${seconds} s`,
  }),
  files_gone: {
    he: 'הקבצים שלו כבר לא נמצאים בדיסק',
    ar: 'لم تعد ملفاته على القرص',
    en: 'lost its files on disk',
  },
  vanished: {
    he: 'היעלמות בלי שהשרת עצר אותו',
    ar: 'اختفاء من دون أن يوقفه الخادم',
    en: 'disappeared without being stopped by this server',
  },
  stopped: { he: 'עצירה', ar: 'إيقاف', en: 'was stopped' },
  too_slow: ({ seconds }: { seconds: number }): Words => ({
    he: `חריגה ממגבלת הזמן (${seconds} שניות)`,
    ar: `تجاوز المهلة (${arabicSeconds(seconds)})`,
    en: `exceeded its time limit of ${seconds} s and was stopped`,
  }),
  too_much_memory: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `חריגה ממגבלת הזיכרון (${mebibytes} MiB)`,
    ar: `تجاوز حد الذاكرة (${mebibytes} MiB)`,
    en: `exceeded its memory limit of ${mebibytes} MiB and was stopped`,
  }),
  build_memory: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `חריגה ממגבלת הזיכרון לבנייה (${mebibytes} MiB; מפעיל השרת יכול להגדיל אותה ב־APPS_BUILD_MEMORY_MB)`,
    ar: `تجاوز حد الذاكرة للبناء (${mebibytes} MiB؛ يمكن لمشغّل الخادم رفعه في APPS_BUILD_MEMORY_MB)`,
    en: `exceeded the memory limit for builds of ${mebibytes} MiB and was stopped (the operator can raise APPS_BUILD_MEMORY_MB)`,
  }),
  build_heap: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `הזיכרון של Node.js נגמר: הוא מקבל שלושה רבעים מ־${mebibytes} MiB שיש לבנייה, אלא אם NODE_OPTIONS קובע אחרת (מפעיל השרת יכול להגדיל את APPS_BUILD_MEMORY_MB)`,
    ar: `نفدت ذاكرة Node.js: تُتاح له ثلاثة أرباع ${mebibytes} MiB المخصّصة للبناء، ما لم يحدّد NODE_OPTIONS غير ذلك (يمكن لمشغّل الخادم رفع APPS_BUILD_MEMORY_MB)`,
    en: `ran out of memory: Node.js gets three quarters of a build’s ${mebibytes} MiB, unless NODE_OPTIONS sets another limit (the operator can raise APPS_BUILD_MEMORY_MB)`,
  }),
  heap_full: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `הזיכרון של Node.js נגמר (JavaScript heap out of memory); לתהליך יש ${mebibytes} MiB, ואת החלק של Node.js קובעים ב־NODE_OPTIONS (--max-old-space-size)`,
    ar: `نفدت ذاكرة Node.js ‏(JavaScript heap out of memory)؛ للعملية ${mebibytes} MiB، وتُحدَّد حصة Node.js منها في NODE_OPTIONS ‏(--max-old-space-size)`,
    en: `ran out of memory (JavaScript heap out of memory); a process has ${mebibytes} MiB, and NODE_OPTIONS can set how much of it Node.js uses (--max-old-space-size)`,
  }),
  too_much_together: {
    he: 'עצירה, כי כל האתרים והבניות בשרת יחד ניצלו את כל הזיכרון שהוקצה להם (מפעיל השרת יכול להקצות להם יותר: APPS_RESERVE_MB)',
    ar: 'الإيقاف، لأن كل المواقع وعمليات البناء في هذا الخادم استنفدت معًا الذاكرة المخصّصة لها (يمكن لمشغّل الخادم تخصيص المزيد: APPS_RESERVE_MB)',
    en: 'was stopped: all sites and builds of this server together used up their memory (the operator can give them more: APPS_RESERVE_MB)',
  },
  too_many_processes: ({ most }: { most: number }): Words => ({
    he: `חריגה ממגבלת התהליכים (${most})`,
    ar: `تجاوز حد العمليات (${most})`,
    en: `exceeded its limit of ${most} processes and was stopped`,
  }),
  release_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שנוצר ${how.he}`,
    ar: `إيقاف، لأن ما أُنشئ ${how.ar}`,
    en: `was stopped: its output ${how.en}`,
  }),
  home_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שנכתב לתיקיית הבית ${how.he}`,
    ar: `إيقاف، لأن ما كُتب في المجلد الرئيسي (home) ${how.ar}`,
    en: `was stopped: its home folder ${how.en}`,
  }),
  layer_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שנכתב לתיקיית האפליקציה ${how.he}`,
    ar: `إيقاف، لأن ما كُتب في مجلد التطبيق ${how.ar}`,
    en: `was stopped: its own folder ${how.en}`,
  }),
  volume_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שנכתב לאחד הכרכים ${how.he}`,
    ar: `إيقاف، لأن ما كُتب في إحدى وحدات التخزين ${how.ar}`,
    en: `was stopped: one of its volumes ${how.en}`,
  }),
  unlinked_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שנשמר בקבצים שנמחקו ועדיין פתוחים ${how.he}`,
    ar: `إيقاف، لأن ما في الملفات المحذوفة التي ما زالت مفتوحة ${how.ar}`,
    en: `was stopped: data in deleted files that it still holds open ${how.en}`,
  }),
  disk_full: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `תופס יותר מ־${mebibytes} MiB בדיסק`,
    ar: `يشغل أكثر من ${mebibytes} MiB من القرص`,
    en: `uses more than ${mebibytes} MiB of disk`,
  }),
  disk_unmeasured: ({ why }: { why: Words }): Words => ({
    he: `אינו ניתן למדידה: ${why.he}`,
    ar: `لا يمكن قياسه: ${why.ar}`,
    en: `can’t be measured: ${why.en}`,
  }),
  disk_closed: {
    he: 'אין גישה לאחת התיקיות שבו',
    ar: 'لا يمكن الوصول إلى أحد مجلداته',
    en: 'a folder in it can’t be accessed',
  },
  disk_uncounted: {
    he: 'התיקיות שבו מקוננות עמוק מדי',
    ar: 'مجلداته متداخلة أكثر من اللازم',
    en: 'its folders are nested too deeply',
  },
  disk_endless: ({ seconds }: { seconds: number }): Words => ({
    he: `המדידה נמשכת יותר מ־${seconds} שניות`,
    ar: `يستغرق القياس أكثر من ${arabicSeconds(seconds)}`,
    en: `measuring it takes longer than ${seconds} s`,
  }),
  disk_moving: {
    he: 'הוא משתנה כל הזמן בזמן המדידה',
    ar: 'يتغيّر باستمرار أثناء القياس',
    en: 'it keeps changing while it is measured',
  },
  disk_unreadable: ({ error }: { error: string }): Words => ({
    he: `שגיאת דיסק: ”${error}“`,
    ar: `خطأ في القرص: ”${error}“`,
    en: `the disk reports “${error}”`,
  }),
} as const;
