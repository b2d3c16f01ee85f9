import type { Words } from '../../kernel/languages.ts';

/** Texts about uploaded folders. */
export const messages = {
  noArchive: {
    he: 'הקובץ אינו ארכיון tar,‏ tar.gz או zip שלם. שלחו את תוכן התיקייה, למשל בעזרת tar cz -C folder .',
    ar: 'الملف ليس أرشيف tar أو tar.gz أو zip كاملًا. أرسل محتوى المجلد، مثلًا بـ tar cz -C folder .',
    en: 'The body is no complete tar, tar.gz or zip archive. Send the folder’s content, for example made by tar cz -C folder .',
  },
  noFiles: {
    he: 'אין קבצים בארכיון.',
    ar: 'لا ملفات في الأرشيف.',
    en: 'The archive has no files.',
  },
  wrongType: {
    he: 'שלחו את הארכיון כ־application/x-tar,‏ application/gzip,‏ application/zip או application/octet-stream.',
    ar: 'أرسل الأرشيف كـ application/x-tar أو application/gzip أو application/zip أو application/octet-stream.',
    en: 'Send the archive as application/x-tar, application/gzip, application/zip or application/octet-stream.',
  },
  tooLarge: (mebibytes: number): Words => ({
    he: `הארכיון גדול מ־${mebibytes} MiB (APPS_UPLOAD_MB).`,
    ar: `الأرشيف أكبر من ${mebibytes} MiB ‏(APPS_UPLOAD_MB).`,
    en: `The archive is larger than ${mebibytes} MiB (APPS_UPLOAD_MB).`,
  }),
  folderTooLarge: (mebibytes: number): Words => ({
    he: `הקבצים בארכיון גדולים מ־${mebibytes} MiB ביחד (APPS_DISK_MB).`,
    ar: `ملفات الأرشيف معًا أكبر من ${mebibytes} MiB ‏(APPS_DISK_MB).`,
    en: `The files of the archive are larger than ${mebibytes} MiB together (APPS_DISK_MB).`,
  }),
  tooManyFiles: (most: number): Words => ({
    he: `בארכיון יש יותר מ־${most} קבצים ותיקיות, או שהשמות שלהם ארוכים מדי. השאירו בחוץ את מה שהבנייה מתקינה, כמו node_modules.`,
    ar: `في الأرشيف أكثر من ${most} ملف ومجلد، أو أسماؤها أطول من اللازم. اترك ما يثبّته البناء، مثل node_modules.`,
    en: `The archive has more than ${most} files and folders, or their names are too long. Leave out what the build installs, such as node_modules.`,
  }),
  outside: (path: string): Words => ({
    he: `הנתיב "${path}" אינו בתוך התיקייה. מותרים רק נתיבים יחסיים, בלי "..".`,
    ar: `المسار "${path}" ليس داخل المجلد. تُسمح المسارات النسبية فقط، بلا "..".`,
    en: `The path "${path}" is not inside the folder. Only relative paths without ".." are allowed.`,
  }),
  linkOutside: (path: string): Words => ({
    he: `הקישור "${path}" מוביל אל מחוץ לתיקייה, או אל קובץ שאינו בה.`,
    ar: `الرابط "${path}" يقود إلى خارج المجلد، أو إلى ملف ليس فيه.`,
    en: `The link "${path}" leads out of the folder, or to a file that is not in it.`,
  }),
  special: (path: string): Words => ({
    he: `"${path}" אינו קובץ, תיקייה או קישור.`,
    ar: `"${path}" ليس ملفًا ولا مجلدًا ولا رابطًا.`,
    en: `"${path}" is no file, folder or link.`,
  }),
  twice: (path: string): Words => ({
    he: `"${path}" נמצא בארכיון פעמיים, או שיש משהו מתחת לקובץ או לקישור הזה.`,
    ar: `"${path}" موجود في الأرشيف مرتين، أو يوجد شيء تحت هذا الملف أو الرابط.`,
    en: `"${path}" is in the archive twice, or something is below this file or link.`,
  }),
  hasRepository: {
    he: 'לאפליקציה הזאת יש מאגר, וממנו היא נפרסת. כדי להעלות תיקיות, שנו את source ל־"upload".',
    ar: 'لهذا التطبيق مستودع يُنشر منه. لرفع المجلدات غيّر source إلى "upload".',
    en: 'This application has a repository, which it is deployed from. To upload folders, change its source to "upload".',
  },
  hasImage: {
    he: 'האפליקציה הזאת מריצה תמונה. כדי להעלות תיקיות, שנו את source ל־"upload".',
    ar: 'يشغّل هذا التطبيق صورة. لرفع المجلدات غيّر source إلى "upload".',
    en: 'This application runs an image. To upload folders, change its source to "upload".',
  },
  notUploaded: {
    he: 'עוד לא הועלתה תיקייה לאפליקציה הזאת. העלו אותה.',
    ar: 'لم يُرفع مجلد لهذا التطبيق بعد. ارفعه.',
    en: 'No folder has been uploaded for this application yet. Upload one.',
  },
} as const;
