import type { Words } from '../../kernel/languages.ts';

/** Texts for developers about volumes. */
export const messages = {
  name: {
    he: 'נדרש שם באותיות לטיניות קטנות, ספרות ומקפים, עד 30 תווים.',
    ar: 'يلزم اسم بأحرف لاتينية صغيرة وأرقام وشرطات، 30 حرفًا على الأكثر.',
    en: 'takes lower-case Latin letters, digits and hyphens, 30 at most.',
  },
  path: {
    he: 'נדרש נתיב מלא שאינו של המערכת, כגון ‎/data או ‎/app/uploads.',
    ar: 'يلزم مسار كامل ليس للنظام، مثل ‎/data أو ‎/app/uploads.',
    en: 'takes an absolute path that is not the system’s, such as /data or /app/uploads.',
  },
  taken: {
    he: 'לאפליקציה כבר יש כרך בשם הזה או בנתיב הזה.',
    ar: 'للتطبيق وحدة تخزين بهذا الاسم أو في هذا المسار.',
    en: 'The application has a volume by this name, or at this path, already.',
  },
  tooMany: (most: number): Words => ({
    he: `לאפליקציה יכולים להיות ${most} כרכים לכל היותר.`,
    ar: `للتطبيق ${most} وحدات تخزين على الأكثر.`,
    en: `An application has ${most} volumes at most.`,
  }),
  noSuchVolume: {
    he: 'לאפליקציה אין כרך כזה.',
    ar: 'لا يوجد للتطبيق وحدة تخزين كهذه.',
    en: 'There is no such volume of this application.',
  },
  running: {
    he: 'האתר פועל ועשוי לכתוב לכרך; קודם יש לעצור אותו (POST …/stop).',
    ar: 'الموقع يعمل وقد يكتب في وحدة التخزين؛ أوقفه أولًا (POST …/stop).',
    en: 'The site runs, and may write to the volume; stop it first (POST …/stop).',
  },
  ending: {
    he: 'האתר נעצר, ועדיין מסיים את מה שהתחיל; כדאי לנסות שוב בעוד רגע (עד 30 שניות).',
    ar: 'أُوقف الموقع، وما زال يُنهي ما بدأه؛ حاول بعد قليل (حتى 30 ثانية).',
    en: 'The site was stopped, and still finishes what is under way; try again in a moment (within 30 s).',
  },
  commandRuns: {
    he: 'פקודה ממתינה או פועלת ועשויה לכתוב לכרך; כדאי לחכות לסיומה או לבטל אותה (POST …/runs/<uuid>/cancel).',
    ar: 'أمر ينتظر أو يعمل وقد يكتب في وحدة التخزين؛ انتظر انتهاءه أو ألغه (POST …/runs/<uuid>/cancel).',
    en: 'A command is waiting or running, and may write to the volume; wait for its end, or cancel it (POST …/runs/<uuid>/cancel).',
  },
  changed: {
    he: 'הכרך הוחלף או נמחק בינתיים; מה שנשלח לא נשמר.',
    ar: 'استُبدلت وحدة التخزين أو حُذفت في هذه الأثناء؛ لم يُحفظ ما أُرسل.',
    en: 'The volume was restored or deleted in the meantime; the upload was discarded.',
  },
  unhosted: {
    he: 'הכרך נמצא אצל השרת שמפעיל אתרים, ואין אליו דרך עכשיו; כדאי לנסות שוב בעוד רגע.',
    ar: 'وحدة التخزين لدى الخادم الذي يشغّل المواقع، ولا طريق إليه الآن؛ حاول بعد قليل.',
    en: 'The volume is with the server that runs sites, which can’t be reached now; try again in a moment.',
  },
  machineAway: {
    he: 'אין עכשיו דרך למחשב שהכרך נמצא בו; כדאי לנסות שוב בעוד רגע.',
    ar: 'لا طريق الآن إلى الجهاز الذي توجد فيه وحدة التخزين؛ حاول بعد قليل.',
    en: 'The machine that the volume is on can’t be reached now; try again in a moment.',
  },
  noTar: {
    he: 'אי אפשר לקרוא את הגוף כארכיון tar; הכרך נשאר כפי שהיה.',
    ar: 'تعذّرت قراءة المحتوى كأرشيف tar؛ بقيت وحدة التخزين كما كانت.',
    en: 'The body can’t be read as a tar archive; the volume is as it was.',
  },
  tooLarge: (mebibytes: number): Words => ({
    he: `הגיבוי גדול מ־${mebibytes} MiB; הכרך נשאר כפי שהיה.`,
    ar: `النسخة الاحتياطية أكبر من ${mebibytes} MiB؛ بقيت وحدة التخزين كما كانت.`,
    en: `The backup holds more than ${mebibytes} MiB; the volume is as it was.`,
  }),
  wrongType: {
    he: 'נדרש ארכיון tar, כ־application/x-tar.',
    ar: 'يلزم أرشيف tar، بنوع application/x-tar.',
    en: 'takes a tar archive, as application/x-tar.',
  },
};
