import type { Words } from '../../../../kernel/languages.ts';
import { followedBy, type Nested, outputOf, type Quoted } from './parts.ts';

/** Folders that were searched for a site, and a hint about what was found instead. */
interface Searched {
  folders: string;
  hint?: Words;
}

/** Reasons why a build failed, or why its result can’t be served. */
export const buildReasons = {
  node_unreadable: ({ by, value }: { by: string; value: string }): Words => ({
    he: `${by} דורש את Node.js בגרסה "${value}", וזו אינה גרסה. כתבו גרסה כמו 22, ‎>=20 <23 או lts/jod, או הגדירו node.`,
    ar: `يطلب ${by} إصدار Node.js "${value}"، وليس هذا إصدارًا. اكتب إصدارًا مثل 22 أو ‎>=20 <23 أو lts/jod، أو عيّن node.`,
    en: `${by} requires Node.js "${value}", which is not a version. Write one such as 22, >=20 <23 or lts/jod, or set node.`,
  }),
  node_unmet: ({ wanted, error }: { wanted: string; error: string }): Words => ({
    he: `אי אפשר להתקין את Node.js ${wanted} מהרישום (registry) של npm: ${error}. דרשו גרסה אחרת ב־.node-version,‏ ב־.nvmrc או ב־engines, או הגדירו node.`,
    ar: `تعذّر تثبيت Node.js ${wanted} من سجل npm: ${error}. اطلب إصدارًا آخر في ‎.node-version أو ‎.nvmrc أو engines، أو عيّن node.`,
    en: `Node.js ${wanted} can’t be installed from the npm registry: ${error}. Require another version in .node-version, .nvmrc or engines, or set node.`,
  }),
  node_crowded: ({ wanted, most, there }: { wanted: string; most: number; there: string }): Words => ({
    he: `Node.js ${wanted} לא הותקנה: בשרת הזה יש כבר ${most} גרסאות, המספר המרבי. דרשו אחת מהן (${there}), או נסו שוב בעוד שעה.`,
    ar: `لم يُثبَّت Node.js ${wanted}: على هذا الخادم ${most} إصدارًا، وهو الحد الأقصى. اطلب أحدها (${there})، أو حاول ثانية بعد ساعة.`,
    en: `Node.js ${wanted} was not installed: this server already has ${most} versions, its maximum. Require one of them (${there}), or try again in an hour.`,
  }),
  program_missing: ({ name, command }: { name: string; command: string }): Words => ({
    he: `נדרש ${name}, אבל הוא אינו מותקן במחשב שמריץ את האתרים. מפעיל השרת מתקין אותו כך: ${command}.`,
    ar: `يلزم ${name}، لكنه غير مثبّت على الجهاز الذي يشغّل المواقع. يثبّته مشغّل الخادم بالأمر: ${command}.`,
    en: `${name} is required, but not installed on the machine that runs the sites. The operator installs it with: ${command}.`,
  }),
  version_unmet: ({
    language,
    version,
    by,
    has,
  }: {
    language: string;
    version: string;
    by: string;
    has: string;
  }): Words => ({
    he: `${by} דורש ${language} בגרסה ${version}, אבל במחשב שמריץ את האתרים מותקנת ${has}. דרשו גרסה שיש שם, או בקשו ממפעיל השרת להתקין אותה.`,
    ar: `يتطلب ${by} الإصدار ${version} من ${language}، لكن المثبّت على الجهاز الذي يشغّل المواقع ${has}. اطلب إصدارًا متوفرًا هناك، أو اطلب من مشغّل الخادم تثبيته.`,
    en: `${by} requires ${language} ${version}, but the machine that runs the sites has ${has}. Require a version that it has, or ask the operator to install one.`,
  }),
  command_failed: ({ command, how, said }: { command: string } & Nested & Quoted): Words => ({
    he: `הפקודה \`${command}\` נכשלה: ${how.he}.${outputOf(said).he}`,
    ar: `فشل الأمر \`${command}\`: ${how.ar}.${outputOf(said).ar}`,
    en: `\`${command}\` ${how.en}.${outputOf(said).en}`,
  }),
  release_failed: ({ command, how, said }: { command: string } & Nested & Quoted): Words => ({
    he: `פקודת השחרור \`${command}\` נכשלה: ${how.he}.${outputOf(said).he}`,
    ar: `فشل أمر الإصدار \`${command}\`: ${how.ar}.${outputOf(said).ar}`,
    en: `The release command \`${command}\` ${how.en}.${outputOf(said).en}`,
  }),
  build_exceeds: ({ how }: Nested): Words => ({
    he: `פלט הבנייה ${how.he}.`,
    ar: `ناتج البناء ${how.ar}.`,
    en: `The build’s output ${how.en}.`,
  }),
  runtime_lacks: ({ capability }: { capability: string }): Words => ({
    he: `השרת הזה אינו תומך במה שהאתר דורש (${capability}).`,
    ar: `لا يدعم هذا الخادم ما يتطلبه الموقع (${capability}).`,
    en: `The site requires a feature that this server does not support (${capability}).`,
  }),
  sandbox_missing: ({ command }: { command: string }): Words => ({
    he: `בשרת הזה לא מותקנת סביבה מבודדת (sandbox) להרצת אתרים. מפעיל השרת מתקין אותה בפקודה \`${command}\`.`,
    ar: `لا توجد في هذا الخادم بيئة معزولة (sandbox) لتشغيل المواقع. يثبّتها مشغّل الخادم بالأمر \`${command}\`.`,
    en: `This server has no sandbox to run sites in. The operator installs it with \`${command}\`.`,
  }),
  sandbox_fails: ({ error }: { error: string }): Words => ({
    he: `הסביבה המבודדת (sandbox) להרצת אתרים אינה פועלת בשרת הזה: ${error}.`,
    ar: `لا تعمل البيئة المعزولة (sandbox) لتشغيل المواقع في هذا الخادم: ${error}.`,
    en: `The sandbox for sites does not work on this server: ${error}.`,
  }),
  pages_in: ({ folders, first }: { folders: string; first: string }): Words => ({
    he: `יש index.html ב־${folders}: הגדירו publish, למשל "${first}".`,
    ar: `يوجد index.html في ${folders}: عيّن publish، مثل "${first}".`,
    en: `There is an index.html in ${folders}: set publish, for example to "${first}".`,
  }),
  no_index: ({ folders, root = 1, hint }: Searched & { root?: number }): Words => {
    const either = (inFolders: string, or: string, inRoot: string) =>
      [...(folders === '' ? [] : [inFolders]), ...(root > 0 ? [inRoot] : [])].join(or);
    return {
      he: `הבנייה הסתיימה בהצלחה, אבל לא השאירה index.html ${either(`ב־${folders}`, ' או ', 'בשורש')}.${followedBy(hint?.he)}`,
      ar: `انتهى البناء بنجاح، لكنه لم يترك index.html ${either(`في ${folders}`, ' أو ', 'في الجذر')}.${followedBy(hint?.ar)}`,
      en: `The build succeeded, but left no index.html in ${either(folders, ' or ', 'the root')}.${followedBy(hint?.en)}`,
    };
  },
  link_outside: ({ path }: { path: string }): Words => ({
    he: `הקישור "${path}" מוביל אל מחוץ לתיקיית האתר; באתר סטטי זה אסור.`,
    ar: `الرابط "${path}" يقود إلى خارج مجلد الموقع؛ لا يجوز ذلك في موقع ثابت.`,
    en: `The link "${path}" leads out of the site’s folder, which is not allowed in a static site.`,
  }),
  volume_covered: ({ volume, path }: { volume: string; path: string }): Words => ({
    he: `בתמונה יש VOLUME ב־${path}, בתוך הכרך ${volume}: מה שנכתב שם לא היה נשמר. הגדירו כרך ב־${path} עצמו, או הסירו את ה־VOLUME.`,
    ar: `في الصورة VOLUME عند ${path}، داخل وحدة التخزين ${volume}: ما يُكتب هناك لن يُحفظ. عيّن وحدة تخزين عند ${path} نفسه، أو احذف VOLUME.`,
    en: `The image has a VOLUME at ${path}, inside the volume ${volume}: data written there would be lost. Set a volume at ${path} itself, or remove the VOLUME.`,
  }),
  volume_through_link: ({ volume, path }: { volume: string; path: string }): Words => ({
    he: `הנתיב של הכרך ${volume} עובר דרך "${path}", שאינו תיקייה. אי אפשר לחבר כרך דרך קישור או קובץ.`,
    ar: `مسار وحدة التخزين ${volume} يمرّ بـ"${path}" وهو ليس مجلدًا. لا يمكن توصيل وحدة تخزين عبر رابط أو ملف.`,
    en: `The path of the volume at ${volume} leads through “${path}”, which is not a folder. A volume can’t be mounted through a link or a file.`,
  }),
  volume_elsewhere: ({ path, runtime, how }: { path: string; runtime: string } & Nested): Words => ({
    he: `הנתונים שב־${path} נמצאים בסביבה שהאתר פעל בה קודם (APPS_RUNTIME=${runtime}), ואי אפשר להעביר אותם עכשיו. האתר לא יופעל בלעדיהם. ${how.he}`,
    ar: `البيانات في ${path} موجودة حيث كان الموقع يعمل سابقًا (APPS_RUNTIME=${runtime})، ولا يمكن نقلها الآن. لن يبدأ الموقع من دونها. ${how.ar}`,
    en: `The data at ${path} is still where the site ran before (APPS_RUNTIME=${runtime}), and can’t be moved now. The site does not start without it. ${how.en}`,
  }),
  kept_away: {
    he: 'הם אינם זמינים כרגע, או שאי אפשר לקרוא את כולם.',
    ar: 'هي غير متاحة الآن، أو لا يمكن قراءتها كلها.',
    en: 'It is unavailable at present, or can’t be read completely.',
  },
  kept_too_large: {
    he: 'הם גדולים מהגודל המרבי של כרך, כולל החורים בקבצים דלילים (sparse).',
    ar: 'حجمها أكبر مما يُسمح به لوحدة تخزين، مع فراغات الملفات المتفرقة (sparse).',
    en: 'It is larger than a volume may be, including the holes of sparse files.',
  },
  too_deep: {
    he: 'התיקיות של האתר מקוננות עמוק מדי: נתיב באתר סטטי יכול להכיל עד 4,000 תווים.',
    ar: 'مجلدات الموقع متداخلة أكثر من اللازم: المسار في موقع ثابت لا يتجاوز 4,000 حرف.',
    en: 'The site’s folders are nested too deeply: a path in a static site may have up to 4,000 characters.',
  },
  not_searchable: ({ error }: { error: string }): Words => ({
    he: `אי אפשר לקרוא את תיקיית האתר: ${error}.`,
    ar: `تتعذّر قراءة مجلد الموقع: ${error}.`,
    en: `The site’s folder can’t be read: ${error}.`,
  }),
} as const;
