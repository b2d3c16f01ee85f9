import type { Language, Words } from '../../kernel/languages.ts';
import type { Finding, FindingSource, PlanLine } from '../model/finding.ts';
import { SOURCE_WORDS } from '../model/finding.ts';

/** Describes a finding (a fact that was recognised in a source) for people, in their language. */
export function describeFinding(finding: Finding, language: Language): string {
  const words = WORDS[finding.kind] as (one: Finding) => Words;
  return words(finding)[language];
}

/** Texts for each kind of finding: a fact that was recognised in a source. */
const WORDS: { readonly [K in Finding['kind']]: (finding: Extract<Finding, { kind: K }>) => Words } = {
  framework: ({ framework, by, source }) => ({
    he: `זוהה ${framework} לפי ${by} (${source}).`,
    ar: `تُعرّف على ${framework} من خلال ${by} (${source}).`,
    en: `Recognised ${framework} by ${by} (${source}).`,
  }),
  line({ line, value, by }) {
    const from = wordsOfBy(by);
    return {
      he: `${LINES[line].he}: ${value} (${from.he})`,
      ar: `${LINES[line].ar}: ${value} (${from.ar})`,
      en: `${LINES[line].en}: ${value} (${from.en})`,
    };
  },
  language: ({ language, by, source }) => ({
    he: `זוהתה השפה ${language} לפי ${by} (${source}).`,
    ar: `تُعرّف على لغة ${language} من خلال ${by} (${source}).`,
    en: `Recognised ${language} by ${by} (${source}).`,
  }),
  version: ({ language, value, by }) => ({
    he: `מתבקשת גרסה ${value} של ${language} (${by}).`,
    ar: `المطلوب هو الإصدار ${value} من ${language} (${by}).`,
    en: `${language} ${value} is requested (${by}).`,
  }),
  language_idle: ({ language, by }) => ({
    he: `יש כאן ${by}, אבל האתר אינו כתוב ב־${language}, ולכן אין לו התקנה. אם צריך אותה, הגדירו install.`,
    ar: `يوجد هنا ${by}، لكن الموقع ليس مكتوبًا بلغة ${language}، لذلك لا يُثبَّت منه شيء. إن احتجت إليه فعيّن install.`,
    en: `There is a ${by}, but the site does not use ${language}, so nothing is installed for it. Set install if you need it.`,
  }),
  dockerfile_only: ({ line, value }) => ({
    he: `${LINES[line].he}: ${value} – אין לכך שימוש, כי האתר נבנה לפי ה־Dockerfile.`,
    ar: `${LINES[line].ar}: ${value} – لا يُستخدم، لأن الموقع يُبنى بملف Dockerfile.`,
    en: `${LINES[line].en}: ${value} is ignored, because the site is built from its Dockerfile.`,
  }),
  dockerfile_idle({ value, line, by }) {
    const from = wordsOfBy(by);
    return {
      he: `יש כאן ${value}, אבל לא בונים לפיו: ${LINES[line].he} נקבע אחרת (${from.he}).`,
      ar: `يوجد هنا ${value}، لكن لا يُبنى به: ${LINES[line].ar} محدَّد بغيره (${from.ar}).`,
      en: `There is a ${value}, but it is not used: ${LINES[line].en} is set elsewhere (${from.en}).`,
    };
  },
  dockerfile_unbuilt: ({ value }) => ({
    he: `יש כאן ${value}, אבל כאן לא בונים לפיו: לשם כך אתרים צריכים לרוץ כקונטיינרים של Docker, ומפעיל השרת צריך לאפשר זאת (APPS_DOCKERFILES).`,
    ar: `يوجد هنا ${value}، لكن لا يُبنى به هنا: يلزم لذلك أن تعمل المواقع كحاويات Docker، وأن يسمح به مشغّل الخادم (APPS_DOCKERFILES).`,
    en: `There is a ${value}, but Dockerfiles are not built here: sites must run as Docker containers, and the operator must allow it (APPS_DOCKERFILES).`,
  }),
  dockerfile_untrusted: ({ value }) => ({
    he: `יש כאן ${value}, אבל כאן לא בונים לפיו, כי כל אחד יכול להירשם לשרת (REGISTRATION). מפעיל השרת יכול לאפשר זאת: APPS_DOCKERFILES=on.`,
    ar: `يوجد هنا ${value}، لكن لا يُبنى به هنا، لأن التسجيل في الخادم مفتوح للجميع (REGISTRATION). يمكن لمشغّل الخادم أن يسمح به: APPS_DOCKERFILES=on.`,
    en: `There is a ${value}, but Dockerfiles are not built here, because anyone can register (REGISTRATION). The operator can allow them: APPS_DOCKERFILES=on.`,
  }),
  unlocked: ({ by }) => ({
    he: `אין קובץ נעילה, ולכן כל בנייה מתקינה את הגרסאות החדשות ביותר ש־${by} מתיר. כדאי להכניס אותו למאגר.`,
    ar: `لا يوجد ملف قفل، لذلك يثبّت كل بناء أحدث الإصدارات التي يسمح بها ${by}. يُستحسن إضافته إلى المستودع.`,
    en: `There is no lockfile: each build installs the newest versions that ${by} allows. Commit one to get the same versions each time.`,
  }),
  unserved: ({ framework, value }) => ({
    he: `${framework} לא מגיש קבצים סטטיים מחוץ לסביבת פיתוח. כדי שדפים, וגם הניהול, יקבלו את העיצוב שלהם, הוסיפו את ${value}.`,
    ar: `لا يقدّم ${framework} الملفات الثابتة خارج بيئة التطوير. لكي تظهر تنسيقات الصفحات وصفحات الإدارة أضف ${value}.`,
    en: `${framework} serves no static files outside of development. Add ${value}, so that pages and the admin get their styles.`,
  }),
  passed_over: ({ value, by }) => ({
    he: `${value} (${by}): אין לכך שימוש כאן.`,
    ar: `${value} (${by}): لا يُستخدم هنا.`,
    en: `${value} (${by}) is ignored.`,
  }),
  development: ({ script, tool }) => ({
    he: `הסקריפט start (${script}) מפעיל רק שרת פיתוח (${tool}), ולכן אין לו שימוש.`,
    ar: `السكربت start (${script}) يشغّل خادم تطوير فقط (${tool})، لذلك لا يُستخدم.`,
    en: `The start script (${script}) only runs a development server (${tool}), so it is not used.`,
  }),
  files_only: ({ line, value }) => ({
    he: `${LINES[line].he}: ${value} לא יורץ, כי האתר הוא קבצים בלבד.`,
    ar: `${LINES[line].ar}: ${value} لن يُشغَّل، لأن الموقع ملفات فقط.`,
    en: `${LINES[line].en}: ${value} is not run, because the site is static.`,
  }),
};

function wordsOfBy(by: FindingSource): Words {
  return Object.hasOwn(SOURCE_WORDS, by)
    ? SOURCE_WORDS[by as keyof typeof SOURCE_WORDS]
    : { he: by, ar: by, en: by };
}

const LINES: Readonly<Record<PlanLine, Words>> = {
  node: { he: 'גרסת Node.js', ar: 'إصدار Node.js', en: 'node' },
  type: { he: 'סוג', ar: 'النوع', en: 'type' },
  install: { he: 'התקנה', ar: 'التثبيت', en: 'install' },
  build: { he: 'בנייה', ar: 'البناء', en: 'build' },
  caches: { he: 'נשמר לבנייה הבאה', ar: 'يُحفظ للبناء التالي', en: 'caches' },
  start: { he: 'הפעלה', ar: 'التشغيل', en: 'start' },
  publish: { he: 'תיקייה לפרסום', ar: 'مجلد النشر', en: 'publish' },
  spa: { he: 'דף יחיד', ar: 'صفحة واحدة', en: 'spa' },
  port: { he: 'פורט', ar: 'المنفذ', en: 'port' },
  health: { he: 'נתיב הבדיקה', ar: 'مسار الفحص', en: 'health' },
  processes: { he: 'תהליך', ar: 'عملية', en: 'process' },
  release: { he: 'לפני המעבר', ar: 'قبل التحويل', en: 'release' },
  cron: { he: 'מתוזמן', ar: 'مجدول', en: 'cron' },
  image: { he: 'תמונה', ar: 'صورة', en: 'image' },
  dockerfile: { he: 'תמונה לפי', ar: 'صورة بحسب', en: 'dockerfile' },
  target: { he: 'שלב', ar: 'المرحلة', en: 'target' },
  args: { he: 'ארגומנטים לבנייה', ar: 'وسائط البناء', en: 'args' },
};
