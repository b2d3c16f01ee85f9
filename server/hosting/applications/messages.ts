import type { Words } from '../../kernel/languages.ts';
import type { Role } from '../model/people.ts';
import type { BrowsedPage } from './repository.ts';

/** Texts of the application API. Texts common to all APIs are in kernel/http/messages.ts. */
export const messages = {
  notYours: {
    he: 'מפתח ה־API הזה אינו של בעל האפליקציה.',
    ar: 'مفتاح API هذا لا يخصّ مالك التطبيق.',
    en: 'This API key does not belong to the owner of the application.',
  },
  roleMissing: (role: Role, required: Role): Words => ({
    he: `התפקיד שלך באפליקציה הזאת הוא ${role}, ולבקשה הזאת נדרש ${required}.`,
    ar: `دورك في هذا التطبيق هو ${role}، وهذا الطلب يتطلب ${required}.`,
    en: `Your role in this application is ${role}; this request needs ${required}.`,
  }),
  roleMissingInSource: (role: Role, required: Role): Words => ({
    he: `התפקיד שלך באפליקציה שממנה מקדמים את הגרסה הוא ${role}, ונדרש ${required}.`,
    ar: `دورك في التطبيق الذي يُرقّى إصداره هو ${role}، والمطلوب ${required}.`,
    en: `Your role in the application that the release comes from is ${role}; this request needs ${required}.`,
  }),
  sameApplication: {
    he: 'זו האפליקציה עצמה; נדרשת אפליקציה אחרת, או תצוגה מקדימה (preview).',
    ar: 'هذا هو التطبيق نفسه؛ يلزم تطبيق آخر، أو معاينة (preview).',
    en: 'is this application itself; name another one, or a preview of this one.',
  },
  ambiguousName: {
    he: 'יש לך כמה אפליקציות בשם הזה; ציינו את תת־הדומיין של אחת מהן, או את ה־UUID שלה.',
    ar: 'لديك أكثر من تطبيق بهذا الاسم؛ اذكر النطاق الفرعي لأحدها أو UUID الخاص به.',
    en: 'Several of your applications have this name; give the subdomain of one of them, or its UUID.',
  },
  noSuchApplication: {
    he: 'אין אפליקציה כזאת.',
    ar: 'لا يوجد تطبيق كهذا.',
    en: 'There is no such application.',
  },
  noSuchPreview: {
    he: 'אין לאפליקציה תצוגה מקדימה בשם הזה.',
    ar: 'ليس للتطبيق معاينة بهذا الاسم.',
    en: 'The application has no preview of that name.',
  },
  subdomainTaken: {
    he: 'תת־הדומיין הזה תפוס; יש לבחור אחר.',
    ar: 'هذا النطاق الفرعي محجوز؛ اختر غيره.',
    en: 'This subdomain is taken; choose another.',
  },
  tooManyApplications: (most: number): Words => ({
    he: `כבר יש לך ${most} אפליקציות, וזה המספר המרבי.`,
    ar: `لديك ${most} تطبيقًا، وهو الحد الأقصى.`,
    en: `You have ${most} applications, the limit for one user.`,
  }),
  name: {
    he: 'נדרש טקסט נראה של 1 עד 100 תווים בשורה אחת, בלי תווים שהופכים את הכיוון.',
    ar: 'يلزم نص ظاهر من 1 إلى 100 رمز في سطر واحد، بلا رموز تقلب الاتجاه.',
    en: 'must be 1 to 100 visible characters on one line, without characters that change the text direction.',
  },
  subdomain: {
    he: 'נדרשת תווית DNS: 1 עד 63 תווים של a-z, ספרות ומקפים, בלי מקף בהתחלה או בסוף.',
    ar: 'يلزم اسم DNS: من 1 إلى 63 من a-z والأرقام والشرطات، دون شرطة في البداية أو النهاية.',
    en: 'must be a DNS label: 1 to 63 of a-z, 0-9 and hyphens, neither first nor last a hyphen.',
  },
  subdomainReserved: {
    he: 'שם שמור; יש לבחור אחר.',
    ar: 'اسم محجوز؛ اختر غيره.',
    en: 'is reserved; choose another.',
  },
  repository: {
    form: {
      he: 'נדרשת כתובת של מאגר git, למשל https://host/owner/name.git או git@host:owner/name.git.',
      ar: 'يلزم عنوان مستودع git، مثل https://host/owner/name.git أو git@host:owner/name.git.',
      en: 'must be the address of a git repository, such as https://host/owner/name.git or git@host:owner/name.git.',
    },
    protocol: (protocols: readonly string[]): Words => ({
      he: `הפרוטוקולים האפשריים: ${protocols.join(', ')}.`,
      ar: `البروتوكولات الممكنة: ${protocols.join(', ')}.`,
      en: `must use one of these protocols: ${protocols.join(', ')}.`,
    }),
    password: {
      he: 'עם ssh אין סיסמה בכתובת; יש להשתמש במפתח פריסה.',
      ar: 'لا كلمة مرور في العنوان مع ssh؛ استخدم مفتاح نشر.',
      en: 'must not contain a password with ssh; use a deploy key.',
    },
    scheme: (address: string): Words => ({
      he: `חסר כאן הפרוטוקול: ${address}?`,
      ar: `البروتوكول ناقص هنا: ‎${address}؟`,
      en: `lacks its protocol: did you mean ${address}?`,
    }),
    page: ({ repository, branch, folder }: BrowsedPage): Words => ({
      he: `זו כתובת של דף. כתובת המאגר היא ${repository}; את הענף קובעים בשדה branch ("${branch}")${folder && `, ואת התיקייה בשדה root ("${folder}"). אם שם הענף הוא "${branch}/${folder}", קובעים אותו בשדה branch בלי root`}.`,
      ar: `هذا عنوان صفحة. عنوان المستودع هو ${repository}؛ الفرع يُحدَّد في branch ("${branch}")${folder && `، والمجلد في root ("${folder}"). إن كان اسم الفرع "${branch}/${folder}" فيُحدَّد في branch بلا root`}.`,
      en: `is the address of a page. The repository’s is ${repository}, with "branch": "${branch}"${folder && ` and "root": "${folder}", or with "branch": "${branch}/${folder}" if that is the branch’s name`}.`,
    }),
    private: {
      he: 'המארח בכתובת פרטית או מקומית, וזה אסור.',
      ar: 'المضيف على عنوان خاص أو محلي، وهذا غير مسموح.',
      en: 'must not be on a host with a private or local address.',
    },
    ours: {
      he: 'התיקייה שייכת לנתונים של השרת; נדרש מאגר במקום אחר.',
      ar: 'المجلد جزء من بيانات الخادم؛ يلزم مستودع في مكان آخر.',
      en: 'must not be in this server’s data folder.',
    },
    unresolved: {
      he: 'המארח לא נמצא.',
      ar: 'لم نجد المضيف.',
      en: 'is on a host that can’t be found.',
    },
  },
  image: {
    form: {
      he: 'נדרש שם של תמונת קונטיינר, למשל nginx:1.27 או ghcr.io/owner/name:tag, בלי https://.',
      ar: 'يلزم اسم صورة حاوية، مثل nginx:1.27 أو ghcr.io/owner/name:tag، بلا https://.',
      en: 'must be the name of a container image, such as nginx:1.27 or ghcr.io/owner/name:tag, without https://.',
    },
    private: {
      he: 'מאגר התמונות בכתובת פרטית או מקומית, וזה אסור.',
      ar: 'سجل الصور على عنوان خاص أو محلي، وهذا غير مسموح.',
      en: 'must not be in a registry with a private or local address.',
    },
    ours: {
      he: 'מאגר התמונות הזה שמור לתמונות של השרת עצמו; נדרשת תמונה ממקום אחר.',
      ar: 'هذا السجل مخصّص لصور الخادم نفسه؛ يلزم صورة من مكان آخر.',
      en: 'must not be in the registry of this server’s own images.',
    },
    no_engine: {
      he: 'השרת הזה מריץ אתרים כתהליכים, ולכן אינו יכול להריץ תמונות קונטיינר.',
      ar: 'يشغّل هذا الخادم المواقع كعمليات، فلا يستطيع تشغيل صور الحاويات.',
      en: 'can’t be set: this server runs sites as processes, not as containers, so it has no images.',
    },
    off: {
      he: 'מפעיל השרת אינו מאפשר להריץ תמונות לפי שם (APPS_NAMED_IMAGES).',
      ar: 'لا يسمح مشغّل الخادم بتشغيل الصور بالاسم (APPS_NAMED_IMAGES).',
      en: 'can’t be set: the operator does not allow images by name (APPS_NAMED_IMAGES).',
    },
    open_registration: {
      he: 'השרת הזה אינו מריץ תמונות לפי שם, כי כל אחד יכול להירשם אליו. מפעיל השרת יכול לאפשר זאת: APPS_NAMED_IMAGES=on.',
      ar: 'لا يشغّل هذا الخادم الصور بالاسم لأن التسجيل فيه مفتوح للجميع. يمكن لمشغّل الخادم السماح بذلك: APPS_NAMED_IMAGES=on.',
      en: 'can’t be set: this server runs no images by name, because anyone can register. The operator can allow them: APPS_NAMED_IMAGES=on.',
    },
  },
  registryUser: {
    he: 'נדרש שם משתמש בלי נקודתיים, בשורה אחת.',
    ar: 'يلزم اسم مستخدم بلا نقطتين، في سطر واحد.',
    en: 'must be a user name on one line, without a colon.',
  },
  registryPassword: {
    he: 'נדרשת סיסמה או אסימון, בשורה אחת.',
    ar: 'تلزم كلمة مرور أو رمز، في سطر واحد.',
    en: 'must be a password or token on one line.',
  },
  fromRepository: {
    he: 'אי אפשר לקבוע אותו לאפליקציה שנפרסת ממאגר (source: repository).',
    ar: 'لا يمكن تعيينه لتطبيق يُنشر من مستودع (source: repository).',
    en: 'can’t be set for an application that is deployed from a repository (source: repository).',
  },
  fromImage: {
    he: 'אי אפשר לקבוע אותו לאפליקציה שמריצה תמונה (source: image).',
    ar: 'لا يمكن تعيينه لتطبيق يشغّل صورة (source: image).',
    en: 'can’t be set for an application that runs an image (source: image).',
  },
  imageRef: {
    he: 'לאפליקציה הזאת אין מאגר: היא מריצה תמונה, ואפשר לציין רק תגית שלה (tag).',
    ar: 'لا مستودع لهذا التطبيق: فهو يشغّل صورة، ولا يمكن ذكر سوى وسم لها (tag).',
    en: 'can’t be named: this application runs an image, of which only a tag can be named.',
  },
  imageTag: {
    he: 'נדרשת תגית של תמונה: עד 128 אותיות, ספרות, נקודות, מקפים וקווים תחתונים.',
    ar: 'يلزم وسم صورة: حتى 128 من الأحرف والأرقام والنقاط والشرطات والشرطات السفلية.',
    en: 'must be the tag of an image: up to 128 letters, digits, dots, hyphens and underscores.',
  },
  uploaded: {
    he: 'אי אפשר לקבוע אותו לאפליקציה שמעלים אליה תיקיות (source: upload).',
    ar: 'لا يمكن تعيينه لتطبيق تُرفع إليه المجلدات (source: upload).',
    en: 'can’t be set for an application to which folders are uploaded (source: upload).',
  },
  notVerified: {
    he: 'קודם יש לאמת את כתובת המייל; אחר כך אפשר לפרוס.',
    ar: 'أكّد عنوان بريدك أولًا؛ ثم يمكنك النشر.',
    en: 'Verify your email address first; then you can deploy.',
  },
  noRepository: {
    he: 'לאפליקציה הזאת אין מאגר: מעלים אליה תיקיות.',
    ar: 'لا مستودع لهذا التطبيق: تُرفع إليه المجلدات.',
    en: 'This application has no repository: folders are uploaded to it.',
  },
  noRepositoryButImage: {
    he: 'לאפליקציה הזאת אין מאגר: היא מריצה תמונה.',
    ar: 'لا مستودع لهذا التطبيق: فهو يشغّل صورة.',
    en: 'This application has no repository: it runs an image.',
  },
  branch: {
    he: 'נדרש שם של ענף git.',
    ar: 'يلزم اسم فرع git.',
    en: 'must be the name of a git branch.',
  },
  root: {
    he: 'נדרשת תיקייה בתוך המאגר, למשל packages/site.',
    ar: 'يلزم مجلد داخل المستودع، مثل packages/site.',
    en: 'must be a folder inside the repository, such as packages/site.',
  },
  node: {
    he: 'נדרשת גרסה של Node.js, כמו 22, ‎>=20 <23 או lts/jod.',
    ar: 'يلزم إصدار من Node.js، مثل 22 أو ‎>=20 <23 أو lts/jod.',
    en: 'must be a version of Node.js, such as 22, >=20 <23 or lts/jod.',
  },
  publish: {
    he: 'נדרשת תיקייה בתוך האפליקציה, למשל _site.',
    ar: 'يلزم مجلد داخل التطبيق، مثل _site.',
    en: 'must be a folder inside the application, such as _site.',
  },
  spa: {
    he: 'נדרש true,‏ false או "auto".',
    ar: 'يلزم true أو false أو "auto".',
    en: 'must be true, false or "auto".',
  },
  command: {
    he: 'נדרשת פקודה בשורה אחת, עד 2,000 תווים.',
    ar: 'يلزم أمر في سطر واحد، من 2,000 رمز على الأكثر.',
    en: 'must be a command on one line, of at most 2,000 characters.',
  },
  watchPath: {
    he: 'נדרש נתיב במאגר, כמו apps/web/**: חלקים עם *, **, ? או {a,b}, ו־! בהתחלה כדי להוציא; עד 3 כוכביות בכל חלק.',
    ar: 'يلزم مسار في المستودع مثل apps/web/**: أجزاء فيها * أو ** أو ? أو {a,b}، و! في البداية للاستثناء؛ حتى 3 نجوم في كل جزء.',
    en: 'must be a path in the repository such as apps/web/**: parts with *, **, ? or {a,b}, and a leading ! to exclude; at most 3 stars in a part.',
  },
  timeZone: {
    he: 'נדרש שם של אזור זמן, כגון Asia/Jerusalem.',
    ar: 'يلزم اسم منطقة زمنية، مثل Asia/Jerusalem.',
    en: 'must be the name of a time zone, such as Asia/Jerusalem.',
  },
  healthPath: {
    he: 'נדרש נתיב שמתחיל ב־/ אחד, למשל /healthz, בתווי ASCII, בלי רווחים, \\ ו־#.',
    ar: 'يلزم مسار يبدأ بـ / واحدة، مثل /healthz، برموز ASCII، دون مسافات و\\ و#.',
    en: 'must be a path that starts with one /, such as /healthz, in ASCII and without spaces, \\ and #.',
  },
  variableName: {
    he: 'נדרש שם של משתנה: אותיות לטיניות, ספרות ו־_, בלי ספרה בהתחלה, עד 255 תווים.',
    ar: 'يلزم اسم متغيّر: أحرف لاتينية وأرقام و_، دون رقم في البداية، 255 رمزًا على الأكثر.',
    en: 'must be a variable name: up to 255 letters, digits and _, not starting with a digit.',
  },
  variableIsOurs: (name: string): Words => ({
    he: `את המשתנה ${name} השרת קובע בעצמו. היכן האתר מאזין קובעים בשדה port של האפליקציה.`,
    ar: `المتغيّر ${name} يضبطه الخادم بنفسه. أين يستمع الموقع يُحدَّد بحقل port في التطبيق.`,
    en: `${name} is set by the server itself. Set the port of a site with the application’s "port".`,
  }),
  environmentType: {
    he: 'יש לשלוח את המשתנים כ־application/json, או קובץ .env כ־text/plain.',
    ar: 'أرسل المتغيرات بصيغة application/json، أو ملف ‎.env بصيغة text/plain.',
    en: 'The variables must be sent as application/json, or a .env file as text/plain.',
  },
  dotenv: {
    assignment: {
      he: 'נדרשת השמה כמו NAME=value (אותיות לטיניות, ספרות ו־_), הערה אחרי # או שורה ריקה.',
      ar: 'يلزم تعيين مثل NAME=value (أحرف لاتينية وأرقام و_)، أو تعليق بعد #، أو سطر فارغ.',
      en: 'must be NAME=value (letters, digits and _), a comment after #, or empty.',
    },
    openQuote: {
      he: 'המירכאות שנפתחות כאן אינן נסגרות.',
      ar: 'علامة الاقتباس المفتوحة هنا لا تُغلق.',
      en: 'opens a quote that is never closed.',
    },
    afterQuote: {
      he: 'אחרי המירכאות הסוגרות יכולה לבוא רק הערה.',
      ar: 'بعد علامة الاقتباس الختامية لا يأتي إلا تعليق.',
      en: 'has something after the closing quote; only a comment may follow.',
    },
  },
  variableValue: (most: number): Words => ({
    he: `נדרש טקסט של ${most / 1024} KiB לכל היותר, או null כדי למחוק.`,
    ar: `يلزم نص من ${most / 1024} KiB على الأكثر، أو null للحذف.`,
    en: `must be text of at most ${most / 1024} KiB, or null to delete it.`,
  }),
  variableCharacters: {
    he: 'יש כאן תו NUL, שאי אפשר להעביר במשתני סביבה.',
    ar: 'يوجد هنا رمز NUL، ولا تقبله متغيّرات البيئة.',
    en: 'must not contain a NUL character, which environment variables can’t hold.',
  },
  tooManyVariables: (most: number): Words => ({
    he: `אפשר לשמור ${most} משתנים לכל היותר.`,
    ar: `يمكن حفظ ${most} متغيّر على الأكثر.`,
    en: `At most ${most} variables can be stored.`,
  }),
  valueMissing: {
    he: 'נדרש ערך, ערך לתצוגות מקדימות (preview_value), או in_previews: false.',
    ar: 'تلزم قيمة، أو قيمة للمعاينات (preview_value)، أو in_previews: false.',
    en: 'needs a value, a value for previews (preview_value), or "in_previews": false.',
  },
  ownerUnverified: {
    he: 'קודם יש לאמת את כתובת המייל: פריסה היא למשתמשים מאומתים.',
    ar: 'أكّد عنوان بريدك أولًا: النشر للمستخدمين المؤكّدين.',
    en: 'Verify your mail address first: deployments are for verified users.',
  },
  hookUnsigned: {
    he: 'החתימה של המשלוח חסרה או שגויה.',
    ar: 'توقيع هذا الإرسال ناقص أو خاطئ.',
    en: 'The signature of this delivery is missing or wrong.',
  },
  hookBody: {
    he: 'אי אפשר לקרוא את המשלוח; יש לשלוח אותו כ־application/json, או כטופס עם payload.',
    ar: 'لا يمكن قراءة هذا الإرسال؛ أرسله بصيغة application/json، أو نموذجًا فيه payload.',
    en: 'The delivery can’t be read; send it as application/json, or as a form with a payload.',
  },
} as const;
