import type { Words } from '../../../../kernel/languages.ts';

/** Reasons why a deployment or a run waits, was cancelled or was refused. */
export const deploymentReasons = {
  cancelled: { he: 'הפריסה בוטלה.', ar: 'أُلغي النشر.', en: 'Cancelled.' },
  no_host: {
    he: 'אף שרת אינו מריץ אתרים כרגע. הפריסה תתחיל כשיהיה שרת כזה.',
    ar: 'لا يوجد الآن خادم يشغّل المواقع. يبدأ النشر حين يتوفّر.',
    en: 'No server runs sites at present. The deployment starts once one does.',
  },
  earlier_deployment: {
    he: 'הפריסה הקודמת עדיין בעבודה.',
    ar: 'النشر السابق ما زال قيد التنفيذ.',
    en: 'The previous deployment is still in progress.',
  },
  other_deployments: {
    he: 'היא תתחיל אחרי פריסות שהתחילו לפניה.',
    ar: 'يبدأ بعد عمليات النشر التي بدأت قبله.',
    en: 'It starts after deployments that started earlier.',
  },
  place_to_build: {
    he: 'היא ממתינה שיתפנה מקום לבנייה.',
    ar: 'ينتظر أن يتوفّر مكان للبناء.',
    en: 'It waits for a free build slot.',
  },
  run_cancelled: { he: 'ההרצה בוטלה.', ar: 'أُلغي التشغيل.', en: 'Cancelled.' },
  server_ended: {
    he: 'השרת נעצר באמצע ההרצה. היא אינה מתחילה שוב אוטומטית.',
    ar: 'توقّف الخادم أثناء التشغيل. لا يُعاد التشغيل تلقائيًا.',
    en: 'The server stopped during the run. It is not started again automatically.',
  },
  still_running: {
    he: 'ההרצה הקודמת של המשימה עוד לא הסתיימה.',
    ar: 'لم ينتهِ التشغيل السابق للمهمة بعد.',
    en: 'The job’s previous run had not ended yet.',
  },
  missed: {
    he: 'במועד הזה שום שרת לא הריץ אתרים, ומאז עברה יותר משעה.',
    ar: 'لم يكن أي خادم يشغّل المواقع في ذلك الموعد، ومضت عليه أكثر من ساعة.',
    en: 'No server ran sites at that time, which was more than an hour ago.',
  },
  superseded: {
    he: 'פריסה חדשה יותר החליפה אותה.',
    ar: 'حلّ محلّه نشر أحدث.',
    en: 'Replaced by a newer deployment.',
  },
  application_gone: {
    he: 'האפליקציה נמחקה.',
    ar: 'حُذف التطبيق.',
    en: 'The application was deleted.',
  },
  release_gone: {
    he: 'הגרסה כבר אינה בדיסק. פרסו שוב.',
    ar: 'الإصدار لم يعد على القرص. انشر من جديد.',
    en: 'The release is no longer on disk. Deploy again.',
  },
  too_many_attempts: {
    he: 'השרת נעצר כמה פעמים באמצע הפריסה הזאת. פרסו שוב.',
    ar: 'توقّف الخادم عدة مرات أثناء هذا النشر. انشر من جديد.',
    en: 'The server stopped several times during this deployment. Deploy again.',
  },
  no_files: {
    he: 'השרת הגיע למגבלת הקבצים והחיבורים הפתוחים; הבעיה אינה באתר. בקשו ממפעיל השרת להגדיל את המגבלה (`ulimit -n`), ונסו שוב.',
    ar: 'بلغ الخادم حد الملفات والاتصالات المفتوحة؛ ليست المشكلة في الموقع. اطلب من مشغّل الخادم رفع الحد (`ulimit -n`)، وحاول مجددًا.',
    en: 'The server has reached its limit of open files and connections; the site is not at fault. Ask the operator to raise the limit (`ulimit -n`), and try again.',
  },
  no_room: {
    he: 'הדיסק של השרת מלא. נסו שוב מאוחר יותר.',
    ar: 'قرص الخادم ممتلئ. حاول مجددًا لاحقًا.',
    en: 'The server’s disk is full. Try again later.',
  },
  over_budget: (params: BudgetExcess): Words => overBudget(params),
  disk_budget_full: ({ most, used, applications }: Omit<BudgetExcess, 'resource' | 'after'>): Words => ({
    he: `האפליקציות של הבעלים תופסות יחד ${used} MiB בדיסק (אפליקציות: ${applications}), מעבר למכסה של ${most} MiB. מחקו אפליקציה, תצוגה מקדימה או קבצים מכרך, או בקשו ממפעיל השרת מכסה גדולה יותר.`,
    ar: `تشغل تطبيقات المالك معًا ${used} MiB من القرص (التطبيقات: ${applications})، والحصة ${most} MiB. احذف تطبيقًا أو معاينة أو ملفات من وحدة تخزين، أو اطلب حصة أكبر من مشغّل الخادم.`,
    en: `The owner’s applications use ${used} MiB of disk together (applications: ${applications}); the limit is ${most} MiB. Delete an application, a preview or files in a volume, or ask the operator for a larger budget.`,
  }),
  internal: {
    he: 'משהו השתבש אצלנו. פרסו שוב.',
    ar: 'حدث خطأ من جهتنا. انشر من جديد.',
    en: 'Something went wrong on our side. Deploy again.',
  },
} as const;

/** Resources of which an owner's budget limits the use, as words with their units. */
const RESOURCE_WORDS: Readonly<Record<string, Words>> = {
  applications: { he: 'אפליקציות', ar: 'تطبيقات', en: 'applications' },
  replicas: { he: 'תהליכים שרצים', ar: 'نُسخ عاملة', en: 'running replicas' },
  memory_mb: { he: 'MiB של זיכרון', ar: 'MiB من الذاكرة', en: 'MiB of memory' },
  processes: { he: 'תהליכונים (threads)', ar: 'خيوط تنفيذ (threads)', en: 'threads' },
  disk_mb: { he: 'MiB של דיסק', ar: 'MiB من القرص', en: 'MiB of disk' },
};

/**
 * Use of a resource beyond the owner's budget. It never names applications: people of one application read the reason,
 * and need not know of others.
 */
interface BudgetExcess {
  resource: string;
  most: number;
  /** Use after the change that was refused. */
  after: number;
  used: number;
  /** Number of applications that use the resource. */
  applications: number;
}

function overBudget({ resource, most, after, used, applications }: BudgetExcess): Words {
  const { he, ar, en } = RESOURCE_WORDS[resource] ?? { he: resource, ar: resource, en: resource };
  return {
    he: `המכסה לכל האפליקציות של הבעלים יחד: ${most} ${he}. זה היה מעלה את השימוש ל־${after}. בשימוש עכשיו: ${used} (אפליקציות: ${applications}). אפשר לעצור או להקטין משהו, או לבקש מכסה גדולה יותר ממפעילי השרת.`,
    ar: `الحصة لكل تطبيقات المالك معًا: ${most} ${ar}. هذا كان سيرفع الاستخدام إلى ${after}. المستخدم الآن: ${used} (التطبيقات: ${applications}). يمكن إيقاف شيء أو تصغيره، أو طلب حصة أكبر من مشغّلي الخادم.`,
    en: `All applications of the owner together may use ${most} ${en}; this would make it ${after}. In use now: ${used} (applications: ${applications}). Stop or scale down something, or ask the operator for a larger budget.`,
  };
}
