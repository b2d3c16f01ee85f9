import type { Words } from '../../../../kernel/languages.ts';
import { arabicSeconds, type Nested } from './parts.ts';

/** Reasons why the source of a site could not be fetched. */
export const repositoryReasons = {
  repository_refused: {
    he: 'השרת של המאגר לא נמצא, או שהכתובת שלו אינה מותרת. בדקו את כתובת המאגר.',
    ar: 'لم يُعثر على مضيف المستودع، أو أن عنوانه غير مسموح. تحقّق من عنوان المستودع.',
    en: 'The repository’s host was not found, or its address is not allowed. Check the repository’s address.',
  },
  protocol_refused: ({ protocol, accepted }: { protocol: string; accepted: string }): Words => ({
    he: `השרת הזה אינו מקבל מאגרים בפרוטוקול ${protocol}. השתמשו בכתובת של אחד מאלה: ${accepted}.`,
    ar: `لا يقبل هذا الخادم مستودعات ببروتوكول ${protocol}. استخدم عنوانًا بأحد هذه البروتوكولات: ${accepted}.`,
    en: `This server does not accept repositories by ${protocol}. Use an address with one of: ${accepted}.`,
  }),
  no_branch: ({ branch }: { branch: string }): Words => ({
    he: `במאגר אין ענף בשם "${branch}". דחפו אותו, או בחרו ענף קיים.`,
    ar: `لا يوجد في المستودع فرع باسم "${branch}". ادفعه، أو اختر فرعًا موجودًا.`,
    en: `The repository has no branch "${branch}". Push it, or choose an existing branch.`,
  }),
  no_tag: ({ tag }: { tag: string }): Words => ({
    he: `במאגר אין תגית בשם "${tag}". דחפו אותה, או בחרו תגית קיימת.`,
    ar: `لا يوجد في المستودع وسم باسم "${tag}". ادفعه، أو اختر وسمًا موجودًا.`,
    en: `The repository has no tag "${tag}". Push it, or choose an existing tag.`,
  }),
  no_commits: {
    he: 'בענף ברירת המחדל של המאגר אין קומיטים. דחפו אליו קומיט, או הגדירו ענף אחר (branch).',
    ar: 'لا يوجد أي commit في الفرع الافتراضي للمستودع. ادفع إليه، أو عيّن فرعًا آخر (branch).',
    en: 'The repository’s default branch has no commits. Push one, or set another branch (branch).',
  },
  no_access: {
    he: 'אי אפשר לקרוא את המאגר: הוא אינו קיים, או שלמשתמש שמריץ את הבניות אין הרשאה לקרוא אותו.',
    ar: 'تتعذّر قراءة المستودع: إنه غير موجود، أو أن المستخدم الذي تعمل به عمليات البناء لا يملك إذنًا بقراءته.',
    en: 'The repository can’t be read: it does not exist, or the user that builds run as has no permission to read it.',
  },
  no_access_by_deploy_key: {
    he: 'אי אפשר לקרוא את המאגר: הוא אינו קיים, או שלמפתח הפריסה אין גישה אליו. הוסיפו את המפתח להגדרות המאגר.',
    ar: 'تتعذّر قراءة المستودع: إنه غير موجود، أو أن مفتاح النشر لا يملك صلاحية الوصول إليه. أضف المفتاح في إعدادات المستودع.',
    en: 'The repository can’t be read: it does not exist, or the deploy key has no access to it. Add the key in the repository’s settings.',
  },
  no_access_without_deploy_key: {
    he: 'אי אפשר לקרוא את המאגר: הוא אינו קיים, או שהוא פרטי. לאפליקציה אין מפתח פריסה: צרו מפתח והוסיפו אותו להגדרות המאגר.',
    ar: 'تتعذّر قراءة المستودع: إنه غير موجود، أو خاص. ليس للتطبيق مفتاح نشر: أنشئ مفتاحًا وأضفه في إعدادات المستودع.',
    en: 'The repository can’t be read: it does not exist, or it is private. The application has no deploy key: create one and add it in the repository’s settings.',
  },
  no_access_by_credentials: {
    he: 'אי אפשר לקרוא את המאגר: הוא אינו קיים, או שלשם ולסיסמה שבכתובת אין גישה אליו.',
    ar: 'تتعذّر قراءة المستودع: إنه غير موجود، أو أن الاسم وكلمة المرور في عنوانه لا يتيحان الوصول إليه.',
    en: 'The repository can’t be read: it does not exist, or the name and password in its address have no access to it.',
  },
  no_access_without_credentials: {
    he: 'אי אפשר לקרוא את המאגר: הוא אינו קיים, או שהוא פרטי. הוסיפו אסימון (token) לכתובת, או השתמשו ב־ssh עם מפתח פריסה.',
    ar: 'تتعذّر قراءة المستودع: إنه غير موجود، أو خاص. أضف رمز وصول (token) إلى عنوانه، أو استخدم ssh مع مفتاح نشر.',
    en: 'The repository can’t be read: it does not exist, or it is private. Add a token to its address, or use ssh with a deploy key.',
  },
  other_host_key: {
    he: 'המפתח של שרת המאגר השתנה, ולכן דבר לא נמשך: ייתכן שמישהו מיירט את החיבור. אם ידוע שהמפתח הוחלף, צרו מפתח פריסה חדש, והשרת ייחשב שוב מהימן.',
    ar: 'تغيّر مفتاح مضيف المستودع، لذلك لم يُجلب شيء: ربما يعترض أحد الاتصال. إن كان تغيير المفتاح معروفًا فأنشئ مفتاح نشر جديدًا، وعندها يُوثَق بالمضيف من جديد.',
    en: 'The host key of the repository’s host has changed, so nothing was fetched: someone may be intercepting the connection. If the change is known, create a new deploy key; the host is then trusted again.',
  },
  repository_unreachable: ({ why }: { why: Words }): Words => ({
    he: `משיכת המאגר נכשלה: ${why.he}.`,
    ar: `فشل جلب المستودع: ${why.ar}.`,
    en: `The repository could not be fetched: ${why.en}.`,
  }),
  host_unknown: {
    he: 'לשם השרת שלו אין כתובת',
    ar: 'لا يوجد عنوان لاسم مضيفه',
    en: 'the name of its host could not be resolved',
  },
  host_silent: { he: 'השרת שלו אינו עונה', ar: 'مضيفه لا يجيب', en: 'its host does not answer' },
  host_refuses: {
    he: 'השרת שלו דוחה את החיבור',
    ar: 'مضيفه يرفض الاتصال',
    en: 'its host refuses the connection',
  },
  repository_moved: {
    he: 'הכתובת שלו השתנתה; עדכנו אותה',
    ar: 'تغيّر عنوانه؛ حدّثه',
    en: 'it has moved; set its new address',
  },
  certificate_untrusted: {
    he: 'האישור (certificate) של השרת שלו אינו מהימן',
    ar: 'شهادة مضيفه غير موثوقة',
    en: 'the certificate of its host is not trusted',
  },
  protocol_not_allowed: {
    he: 'הפרוטוקול שלו אינו מותר כאן',
    ar: 'بروتوكوله غير مسموح هنا',
    en: 'its protocol is not allowed here',
  },
  repository_ours: {
    he: 'המאגר נמצא בתיקיית הנתונים של השרת, ומשם אי אפשר למשוך. הגדירו מאגר אחר.',
    ar: 'المستودع داخل مجلد بيانات الخادم، ولا يمكن الجلب منه. عيّن مستودعًا آخر.',
    en: 'The repository is inside this server’s data folder, which can’t be fetched from. Set another repository.',
  },
  git_failed: { he: 'git לא הצליח לקרוא אותו', ar: 'لم يتمكن git من قراءته', en: 'git could not read it' },
  fetch_ended: ({ how }: Nested): Words => ({
    he: `משיכת המאגר נכשלה: ${how.he}.`,
    ar: `فشل جلب المستودع: ${how.ar}.`,
    en: `Fetching the repository failed: git ${how.en}.`,
  }),
  repository_too_slow: ({ seconds }: { seconds: number }): Words => ({
    he: `משיכת המאגר לא הסתיימה בתוך ${seconds} שניות.`,
    ar: `لم ينتهِ جلب المستودع خلال ${arabicSeconds(seconds)}.`,
    en: `The repository was not fetched within ${seconds} s.`,
  }),
  repository_too_large: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `המאגר גדול מ־${mebibytes} MiB.`,
    ar: `المستودع أكبر من ${mebibytes} MiB.`,
    en: `The repository is larger than ${mebibytes} MiB.`,
  }),
  repository_unmeasured: ({ how }: Nested): Words => ({
    he: `המאגר ${how.he}.`,
    ar: `المستودع ${how.ar}.`,
    en: `The repository ${how.en}.`,
  }),
  no_commit: ({ hash }: { hash: string }): Words => ({
    he: `במאגר אין קומיט ${hash}. אולי עוד לא דחפו אותו.`,
    ar: `لا يوجد في المستودع commit ‏${hash}. ربما لم يُدفع بعد.`,
    en: `The repository has no commit ${hash}. It may not have been pushed yet.`,
  }),
  ambiguous_commit: ({ hash }: { hash: string }): Words => ({
    he: `במאגר יש יותר מקומיט אחד שמתחיל ב־${hash}. כתבו עוד ספרות של המזהה, או את כולו.`,
    ar: `في المستودع أكثر من commit واحد يبدأ بـ ${hash}. اكتب أرقامًا أكثر من المعرّف، أو كله.`,
    en: `More than one commit of the repository begins with ${hash}. Name more digits of the hash, or all of them.`,
  }),
  no_repository: {
    he: 'לאפליקציה אין מאגר: מעלים אליה תיקיות.',
    ar: 'لا مستودع للتطبيق: تُرفع إليه المجلدات.',
    en: 'The application has no repository: folders are uploaded to it.',
  },
  not_uploaded: {
    he: 'עוד לא הועלתה תיקייה לאפליקציה הזאת.',
    ar: 'لم يُرفع مجلد لهذا التطبيق بعد.',
    en: 'No folder has been uploaded for this application yet.',
  },
  upload_gone: {
    he: 'התיקייה שהועלתה כבר אינה שמורה. העלו אותה שוב.',
    ar: 'لم يعد المجلد المرفوع محفوظًا. ارفعه مجددًا.',
    en: 'The uploaded folder is no longer stored. Upload it again.',
  },
  upload_too_large: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `התיקייה שהועלתה גדולה מ־${mebibytes} MiB.`,
    ar: `المجلد المرفوع أكبر من ${mebibytes} MiB.`,
    en: `The uploaded folder is larger than ${mebibytes} MiB.`,
  }),
  submodule_failed: ({ path, why }: { path: string; why: Words }): Words => ({
    he: `אי אפשר למשוך את תת־המודול "${path}": ${why.he}`,
    ar: `تعذّر جلب الوحدة الفرعية "${path}": ${why.ar}`,
    en: `The submodule "${path}" could not be fetched: ${why.en}`,
  }),
  too_many_submodules: ({ most }: { most: number }): Words => ({
    he: `במאגר יש יותר מ־${most} תת־מודולים, כולל המקוננים.`,
    ar: `في المستودع أكثر من ${most} وحدة فرعية، بما فيها المتداخلة.`,
    en: `The repository has more than ${most} submodules, including nested ones.`,
  }),
} as const;
