import type { Language, Words } from '../../kernel/languages.ts';
import type { Ignored } from './delivery.ts';

/**
 * Answers to webhook deliveries (push hook). The repository's owner reads them in the list of deliveries that GitHub,
 * GitLab or the like shows.
 */
export const messages = {
  ignored: {
    other_event: {
      he: 'סוג המשלוח הזה אינו משנה אתר: רק דחיפות לענפים, בקשות משיכה ומחיקת ענפים.',
      ar: 'هذا النوع من الإرسال لا يغيّر موقعًا: الدفع إلى الفروع وطلبات السحب وحذف الفروع فقط.',
      en: 'This kind of delivery changes no site: only pushes to branches, pull requests and deleted branches do.',
    },
    other_change: {
      he: 'השינוי הזה בבקשת המשיכה אינו משנה את הקוד שלה.',
      ar: 'هذا التغيير في طلب السحب لا يغيّر شيفرته.',
      en: 'This change of the pull request does not change its code.',
    },
    tag: {
      he: 'תגיות אינן נפרסות; רק ענפים.',
      ar: 'الوسوم لا تُنشر، بل الفروع فقط.',
      en: 'Tags are not deployed, only branches are.',
    },
    fork: {
      he: 'בקשת משיכה ממאגר אחר אינה נפרסת: היא הייתה רצה עם המשתנים של האפליקציה.',
      ar: 'طلب سحب من مستودع آخر لا يُنشر: كان سيعمل بمتغيّرات التطبيق.',
      en: 'A pull request from another repository is not deployed: it would run with the application’s variables.',
    },
    other_branch: {
      he: 'דחיפה לענף הזה אינה פורסת דבר: הוא אינו הענף של האפליקציה, ואין תצוגה מקדימה שעוקבת אחריו.',
      ar: 'الدفع إلى هذا الفرع لا ينشر شيئًا: ليس فرع التطبيق، ولا معاينة تتبعه.',
      en: 'A push to this branch deploys nothing: it is not the application’s branch, and no preview follows it.',
    },
    previews_off: {
      he: 'האפליקציה אינה יוצרת תצוגות מקדימות של בקשות משיכה (previews).',
      ar: 'لا يصنع التطبيق معاينات لطلبات السحب (previews).',
      en: 'The application creates no previews of pull requests (its setting "previews").',
    },
    no_preview: {
      he: 'אין תצוגה מקדימה ששייכת למשלוח הזה.',
      ar: 'لا توجد معاينة لهذا الإرسال.',
      en: 'No preview belongs to this delivery.',
    },
    no_repository: {
      he: 'לאפליקציה הזאת אין מאגר, ולכן דחיפות אינן פורסות אותה.',
      ar: 'لا مستودع لهذا التطبيق، فلا يُنشر بالدفع.',
      en: 'This application has no repository, so pushes do not deploy it.',
    },
    skip_ci: {
      he: 'הודעת הקומיט האחרון מבקשת לא לפרוס, למשל ב־[skip ci].',
      ar: 'رسالة آخر إيداع تطلب عدم النشر، مثل [skip ci].',
      en: 'The message of the newest commit asks for no deployment, for example with [skip ci].',
    },
    paths_unchanged: {
      he: 'השינויים מאז הפריסה האחרונה אינם בנתיבים של האפליקציה (watch_paths).',
      ar: 'التغييرات منذ آخر نشر ليست في مسارات التطبيق (watch_paths).',
      en: 'Nothing changed since the last deployment in the paths that the application watches (its setting "watch_paths").',
    },
    replayed: {
      he: 'המשלוח הזה כבר התקבל.',
      ar: 'استُلم هذا الإرسال من قبل.',
      en: 'This delivery has already been received.',
    },
  },
  checking: {
    he: 'הקבצים שהשתנו נבדקים מול הנתיבים של האפליקציה (watch_paths).',
    ar: 'تُقارَن الملفات المتغيّرة بمسارات التطبيق (watch_paths).',
    en: 'The changed files are being compared with the paths that the application watches (its setting "watch_paths").',
  },
} as const satisfies { ignored: Record<Ignored, Words>; checking: Words };

/** Sentence about the result of a delivery; null if its status says everything. */
export function explain(
  { status, reason }: { status: string; reason: Ignored | null },
  language: Language,
): string | null {
  if (status === 'checking') return messages.checking[language];
  return reason && messages.ignored[reason][language];
}
