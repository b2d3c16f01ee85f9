import type { Words } from '../../../kernel/languages.ts';

/**
 * A nested reason: how something ended, or why it could not be measured. It becomes words before the sentence that
 * contains it.
 */
/** Places that were searched, and what was found instead. */
interface Looked {
  folders: string;
  hint?: Words;
}

interface Nested {
  how: Words;
}

/** Significant lines of the failed command's output. */
interface Quoted {
  said?: string;
}

const ARABIC = new Intl.PluralRules('ar');

/**
 * Exit codes that the shell itself sets:
 * https://pubs.opengroup.org/onlinepubs/9699919799/utilities/V3_chap02.html#tag_18_08_02
 */
const SHELLS_OWN: Readonly<Record<number, Words>> = {
  126: { he: ' (אי אפשר להריץ את הפקודה)', ar: ' (تعذّر تشغيل الأمر)', en: ' (the command can’t be run)' },
  127: { he: ' (אין פקודה כזאת)', ar: ' (لا يوجد أمر كهذا)', en: ' (there is no such command)' },
};

/**
 * Reasons why a deployment did not go live, and events of a site. Rows in the database hold the codes and their
 * parameters, so these must not change; the sentences may.
 */
export const reasonCatalogue = {
  // Ends of a command or of the site
  exited: ({ code }: { code: number }): Words => ({
    he: `סיום בקוד יציאה ${code}${SHELLS_OWN[code]?.he ?? ''}`,
    ar: `انتهاء برمز الخروج ${code}${SHELLS_OWN[code]?.ar ?? ''}`,
    en: `ended with exit code ${code}${SHELLS_OWN[code]?.en ?? ''}`,
  }),
  killed: ({ signal }: { signal: string }): Words => ({
    he: `סיום בידי ${signal}`,
    ar: `إنهاء بواسطة ${signal}`,
    en: `was ended by ${signal}`,
  }),
  helper_ended: ({ name, how }: { name: string; how: Words }): Words => ({
    he: `הופסק כי תהליך עזר של השרת (${name}) הסתיים: ${how.he}`,
    ar: `توقّف لأن عملية مساعدة للخادم (${name}) انتهت: ${how.ar}`,
    en: `was ended because a helper process of the server (${name}) ${how.en}`,
  }),
  cant_run: ({ error }: { error: string }): Words => ({
    he: `אי אפשר להריץ: ${error}`,
    ar: `يتعذّر التشغيل: ${error}`,
    en: `can’t be run: ${error}`,
  }),
  silent: ({ seconds }: { seconds: number }): Words => ({
    he: `אין שום תשובה במשך ${seconds} שניות`,
    ar: `لا إجابة إطلاقًا لمدة ${arabicSeconds(seconds)}`,
    en: `answered nothing for ${seconds} s`,
  }),
  files_gone: {
    he: 'הקבצים אינם בדיסק',
    ar: 'الملفات ليست على القرص',
    en: 'has no files on the disk any more',
  },
  vanished: {
    he: 'נעלם בלי שעצרנו אותו',
    ar: 'اختفى من غير أن نوقفه',
    en: 'is gone, and nobody here ended it',
  },
  stopped: { he: 'עצירה', ar: 'إيقاف', en: 'was stopped' },
  too_slow: ({ seconds }: { seconds: number }): Words => ({
    he: `עצירה, כי חלפו יותר מ־${seconds} שניות`,
    ar: `إيقاف، لأن المدة تجاوزت ${arabicSeconds(seconds)}`,
    en: `was ended: it took longer than ${seconds} s`,
  }),
  too_much_memory: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `עצירה, בגלל שימוש ביותר מ־${mebibytes} MiB של זיכרון`,
    ar: `إيقاف، بسبب استخدام أكثر من ${mebibytes} MiB من الذاكرة`,
    en: `was ended: it used more than ${mebibytes} MiB of memory`,
  }),
  build_memory: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `עצירה, בגלל שימוש ביותר מ־${mebibytes} MiB של זיכרון, שהם כל מה שיש כאן לבנייה (מי שמפעיל את השרת יכול לשנות את APPS_BUILD_MEMORY_MB)`,
    ar: `إيقاف، بسبب استخدام أكثر من ${mebibytes} MiB من الذاكرة، وهو كل ما يُتاح للبناء هنا (يمكن لمن يشغّل الخادم تغيير APPS_BUILD_MEMORY_MB)`,
    en: `was ended: it used more than ${mebibytes} MiB of memory, which is what a build has here (whoever operates this server can change APPS_BUILD_MEMORY_MB)`,
  }),
  build_heap: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `הזיכרון של Node.js נגמר: הוא מקבל שלושה רבעים מ־${mebibytes} MiB שיש לבנייה, אלא אם NODE_OPTIONS קובע אחרת (מי שמפעיל את השרת יכול לשנות את APPS_BUILD_MEMORY_MB)`,
    ar: `نفدت ذاكرة Node.js: يُتاح له ثلاثة أرباع ${mebibytes} MiB المخصّصة للبناء، ما لم يحدّد NODE_OPTIONS غير ذلك (يمكن لمن يشغّل الخادم تغيير APPS_BUILD_MEMORY_MB)`,
    en: `ran out of memory: Node.js has three quarters of a build’s ${mebibytes} MiB, unless NODE_OPTIONS says otherwise (whoever operates this server can change APPS_BUILD_MEMORY_MB)`,
  }),
  heap_full: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `הזיכרון של Node.js נגמר (JavaScript heap out of memory); לתהליך יש ${mebibytes} MiB, ו־NODE_OPTIONS יכול לקבוע כמה מהם מקבל Node.js (--max-old-space-size)`,
    ar: `نفدت ذاكرة Node.js ‏(JavaScript heap out of memory)؛ للعملية ${mebibytes} MiB، ويمكن لـ NODE_OPTIONS أن يحدّد كم منها لـ Node.js ‏(--max-old-space-size)`,
    en: `ran out of memory (JavaScript heap out of memory); a process has ${mebibytes} MiB, and NODE_OPTIONS may say how much of it Node.js takes (--max-old-space-size)`,
  }),
  too_much_together: {
    he: 'עצירה, כי כל האתרים והבניות בשרת הזה יחד השתמשו בכל הזיכרון שיש להם (מי שמפעיל את השרת יכול לשנות את APPS_RESERVE_MB)',
    ar: 'إيقاف، لأن المواقع وعمليات البناء في هذا الخادم استهلكت معًا كل الذاكرة المخصّصة لها (يمكن لمن يشغّل الخادم تغيير APPS_RESERVE_MB)',
    en: 'was ended: all sites and builds of this server together used up the memory that they have (whoever operates it can change APPS_RESERVE_MB)',
  },
  too_many_processes: ({ most }: { most: number }): Words => ({
    he: `עצירה, בגלל יותר מ־${most} תהליכים`,
    ar: `إيقاف، بسبب أكثر من ${most} عملية`,
    en: `was ended: it started more than ${most} processes`,
  }),
  release_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שנוצר ${how.he}`,
    ar: `إيقاف، لأن ما أُنشئ ${how.ar}`,
    en: `was ended: what it made ${how.en}`,
  }),
  home_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שנכתב לתיקיית הבית ${how.he}`,
    ar: `إيقاف، لأن ما كُتب في مجلد المنزل ${how.ar}`,
    en: `was ended: what it put into its home ${how.en}`,
  }),
  layer_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שנכתב לתיקיית האפליקציה ${how.he}`,
    ar: `إيقاف، لأن ما كُتب في مجلد التطبيق ${how.ar}`,
    en: `was ended: what it put into its own folder ${how.en}`,
  }),
  volume_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שנכתב לאחד הכרכים ${how.he}`,
    ar: `إيقاف، لأن ما كُتب في إحدى وحدات التخزين ${how.ar}`,
    en: `was ended: what it put into a volume ${how.en}`,
  }),

  unlinked_exceeds: ({ how }: Nested): Words => ({
    he: `עצירה, כי מה שהוחזק פתוח מקבצים שנמחקו ${how.he}`,
    ar: `إيقاف، لأن ما أُبقي مفتوحًا من ملفات محذوفة ${how.ar}`,
    en: `was ended: what it held open of removed files ${how.en}`,
  }),

  // Disk limits
  disk_full: ({ mebibytes }: { mebibytes: number }): Words => ({
    he: `תופס יותר מ־${mebibytes} MiB בדיסק`,
    ar: `يشغل أكثر من ${mebibytes} MiB من القرص`,
    en: `fills more than ${mebibytes} MiB of disk`,
  }),
  disk_unmeasured: ({ why }: { why: Words }): Words => ({
    he: `אינו ניתן למדידה: ${why.he}`,
    ar: `لا يمكن قياسه: ${why.ar}`,
    en: `can’t be measured: ${why.en}`,
  }),
  disk_closed: {
    he: 'יש בו תיקייה שאי אפשר להיכנס אליה',
    ar: 'فيه مجلد لا يمكن دخوله',
    en: 'a folder in it can’t be looked into',
  },
  disk_uncounted: {
    he: 'יש בו תיקיות בתוך תיקיות עמוק מכדי לעבור עליהן',
    ar: 'فيه مجلدات متداخلة أعمق من أن يمكن تفحّصها',
    en: 'folders in it are nested too deeply to look through',
  },
  disk_endless: ({ seconds }: { seconds: number }): Words => ({
    he: `המעבר עליו נמשך יותר מ־${seconds} שניות`,
    ar: `يستغرق تفحّصه أكثر من ${arabicSeconds(seconds)}`,
    en: `looking through it takes longer than ${seconds} s`,
  }),
  disk_moving: {
    he: 'הוא משתנה כל זמן שעוברים עליו',
    ar: 'يتغيّر طوال مدة تفحّصه',
    en: 'it changes all the while it is looked through',
  },
  disk_unreadable: ({ error }: { error: string }): Words => ({
    he: `הדיסק מודיע ”${error}“`,
    ar: `يقول القرص ”${error}“`,
    en: `the disk says “${error}”`,
  }),

  // Repository
  repository_refused: {
    he: 'אי אפשר למצוא את השרת של המאגר, או שהכתובת אינה מותרת.',
    ar: 'يتعذّر العثور على مضيف المستودع، أو أن عنوانه غير مسموح.',
    en: 'The repository’s host can’t be found, or its address is not allowed.',
  },
  protocol_refused: ({ protocol, accepted }: { protocol: string; accepted: string }): Words => ({
    he: `כתובת המאגר היא בפרוטוקול ${protocol}, שהשרת הזה אינו מקבל. הפרוטוקולים האפשריים: ${accepted}.`,
    ar: `عنوان المستودع ببروتوكول ${protocol} الذي لا يقبله هذا الخادم. البروتوكولات الممكنة: ${accepted}.`,
    en: `The repository’s address is by the protocol ${protocol}, which this server does not accept. It accepts ${accepted}.`,
  }),
  no_branch: ({ branch }: { branch: string }): Words => ({
    he: `במאגר אין ענף בשם "${branch}". דחפו אותו אליו, או בחרו ענף שיש בו.`,
    ar: `لا يوجد في المستودع فرع باسم "${branch}". ادفعه إليه، أو اختر فرعًا موجودًا فيه.`,
    en: `The repository has no branch "${branch}". Push it, or ask for one that is there.`,
  }),
  no_commits: {
    he: 'בענף הראשי של המאגר אין אף קומיט. יש לדחוף אליו, או לבחור ענף אחר (branch).',
    ar: 'لا يوجد أي commit في الفرع الرئيسي للمستودع. ادفع إليه، أو اختر فرعًا آخر (branch).',
    en: 'The repository’s default branch has no commit. Push to it, or name another one (branch).',
  },
  no_access: {
    he: 'אי אפשר היה לקרוא את המאגר: הוא אינו קיים, או שאסור לקרוא אותו למשתמש שבשמו נבנים אתרים.',
    ar: 'تعذّرت قراءة المستودع: إنه غير موجود، أو لا يُسمح بقراءته للمستخدم الذي تُبنى المواقع باسمه.',
    en: 'The repository could not be read: it does not exist, or may not be read by the user that sites are built as.',
  },
  no_access_by_deploy_key: {
    he: 'אי אפשר היה לקרוא את המאגר: הוא אינו קיים, או שלמפתח הפריסה אין גישה אליו.',
    ar: 'تعذّرت قراءة المستودع: إنه غير موجود، أو أن مفتاح النشر لا يصل إليه.',
    en: 'The repository could not be read: it does not exist, or the deploy key has no access to it.',
  },
  no_access_without_deploy_key: {
    he: 'אי אפשר היה לקרוא את המאגר: הוא אינו קיים, או שהוא פרטי. לאפליקציה אין מפתח פריסה; צרו אחד והתירו לו לקרוא את המאגר.',
    ar: 'تعذّرت قراءة المستودع: إنه غير موجود، أو خاص. ليس للتطبيق مفتاح نشر؛ أنشئ واحدًا واسمح له بقراءة المستودع.',
    en: 'The repository could not be read: it does not exist, or is private. The application has no deploy key; make one and allow it to read the repository.',
  },
  no_access_by_credentials: {
    he: 'אי אפשר היה לקרוא את המאגר: הוא אינו קיים, או שהשם והסיסמה שבכתובת אינם נותנים גישה אליו.',
    ar: 'تعذّرت قراءة المستودع: إنه غير موجود، أو أن الاسم وكلمة المرور في عنوانه لا يتيحان الوصول إليه.',
    en: 'The repository could not be read: it does not exist, or the name and password in its address give no access to it.',
  },
  no_access_without_credentials: {
    he: 'אי אפשר היה לקרוא את המאגר: הוא אינו קיים, או שהוא פרטי. הוסיפו אסימון לכתובת, או השתמשו ב־ssh עם מפתח פריסה.',
    ar: 'تعذّرت قراءة المستودع: إنه غير موجود، أو خاص. ضع رمزًا في عنوانه، أو استخدم ssh مع مفتاح نشر.',
    en: 'The repository could not be read: it does not exist, or is private. Put a token into its address, or use ssh with a deploy key.',
  },
  other_host_key: {
    he: 'השרת של המאגר מציג מפתח אחר מבעבר, ולכן לא נמשך דבר: ייתכן שמישהו עומד באמצע. אם לשרת ניתן מפתח חדש, צרו מפתח פריסה חדש; אחר כך השרת ייחשב שוב מהימן.',
    ar: 'يعرض مضيف المستودع مفتاحًا غير السابق، لذلك لم يُجلب شيء: ربما يقف أحد في الوسط. إن كان المضيف قد أُعطي مفتاحًا جديدًا فأنشئ مفتاح نشر جديدًا؛ عندها يصبح المضيف موثوقًا من جديد.',
    en: 'The repository’s host shows another key than before, so nothing was fetched: somebody may stand in between. If the host was given a new key, make a new deploy key; the host is then trusted anew.',
  },
  repository_unreachable: ({ why }: { why: Words }): Words => ({
    he: `אי אפשר היה למשוך את המאגר: ${why.he}.`,
    ar: `تعذّر جلب المستودع: ${why.ar}.`,
    en: `The repository could not be fetched: ${why.en}.`,
  }),
  host_unknown: { he: 'לשרת שלו אין כתובת', ar: 'ليس لمضيفه عنوان', en: 'its host has no address' },
  host_silent: { he: 'השרת שלו אינו עונה', ar: 'مضيفه لا يجيب', en: 'its host does not answer' },
  host_refuses: {
    he: 'השרת שלו מסרב להתחבר',
    ar: 'مضيفه يرفض الاتصال',
    en: 'its host refuses the connection',
  },
  repository_moved: {
    he: 'הכתובת שלו השתנתה; השתמשו בחדשה',
    ar: 'انتقل عنوانه؛ استخدم الجديد',
    en: 'its address has moved; use the new one',
  },
  certificate_untrusted: {
    he: 'אי אפשר לתת אמון בתעודה שלו',
    ar: 'لا يمكن الوثوق بشهادته',
    en: 'its certificate can’t be trusted',
  },
  protocol_not_allowed: {
    he: 'הפרוטוקול שלו אינו מותר כאן',
    ar: 'بروتوكوله غير مسموح هنا',
    en: 'its protocol is not allowed here',
  },
  repository_ours: {
    he: 'המאגר הוא תיקייה בתוך הנתונים של השרת, ומשם לא מושכים דבר. הגדירו מאגר אחר.',
    ar: 'المستودع مجلد داخل بيانات الخادم، ولا يُجلب منها شيء. عيّن مستودعًا آخر.',
    en: 'The repository is a folder of this server’s own data, from which nothing is fetched. Set another one.',
  },
  git_failed: { he: 'git לא הצליח לקרוא אותו', ar: 'لم يتمكن git من قراءته', en: 'git could not read it' },
  fetch_ended: ({ how }: Nested): Words => ({
    he: `משיכת המאגר לא הצליחה: ${how.he}.`,
    ar: `لم ينجح جلب المستودع: ${how.ar}.`,
    en: `Fetching the repository ${how.en}.`,
  }),
  repository_too_slow: ({ seconds }: { seconds: number }): Words => ({
    he: `אי אפשר היה למשוך את המאגר בתוך ${seconds} שניות.`,
    ar: `تعذّر جلب المستودع خلال ${arabicSeconds(seconds)}.`,
    en: `The repository could not be fetched within ${seconds} s.`,
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
    he: `במאגר אין קומיט ${hash}. אולי לא דחפו אותו אליו.`,
    ar: `لا يوجد في المستودع commit ‏${hash}. ربما لم يُدفع إليه.`,
    en: `The repository has no commit ${hash}. It may not have been pushed.`,
  }),
  submodule_failed: ({ path, why }: { path: string; why: Words }): Words => ({
    he: `אי אפשר היה להביא את תת־המודול "${path}": ${why.he}`,
    ar: `تعذّر جلب الوحدة الفرعية "${path}": ${why.ar}`,
    en: `The submodule "${path}" could not be fetched: ${why.en}`,
  }),
  too_many_submodules: ({ most }: { most: number }): Words => ({
    he: `במאגר יותר מ־${most} תת־מודולים, כולל אלה שבתוכם.`,
    ar: `في المستودع أكثر من ${most} وحدة فرعية، بما فيها التي في داخلها.`,
    en: `The repository has more than ${most} submodules, with those inside them.`,
  }),

  // Contents of the repository
  nothing_found: ({ folders, hint }: Looked): Words => ({
    he: `אין כאן מה לבנות או להפעיל. חיפשנו: פקודת הפעלה של האפליקציה, Procfile עם שורת "web:", package.json עם סקריפט "start" או "build", server.js, requirements.txt, pyproject.toml,‏ composer.json,‏ index.php,‏ Gemfile,‏ go.mod,‏ deno.json או hugo.toml, או index.html כאן או ב־${folders}.${followedBy(hint?.he)}`,
    ar: `لا يوجد هنا ما يُبنى أو يُشغَّل. بحثنا عن: أمر تشغيل للتطبيق، أو Procfile فيه سطر "web:"، أو package.json فيه سكربت "start" أو "build"، أو server.js، أو requirements.txt أو pyproject.toml أو composer.json أو index.php أو Gemfile أو go.mod أو deno.json أو hugo.toml، أو index.html هنا أو في ${folders}.${followedBy(hint?.ar)}`,
    en: `There is nothing here to build or start. Looked for: a start command of the application, a Procfile with a "web:" line, a package.json with a "start" or "build" script, a server.js, a requirements.txt, pyproject.toml, composer.json, index.php, Gemfile, go.mod, deno.json or hugo.toml, an index.html here or in ${folders}.${followedBy(hint?.en)}`,
  }),
  nothing_found_in_package: ({ folders, hint }: Looked): Words => ({
    he: `אין כאן מה לבנות או להפעיל. חיפשנו: פקודת הפעלה של האפליקציה, Procfile עם שורת "web:", package.json עם סקריפט "start" או "build" (אין בו אף אחד מהם) או עם server.js לידו, requirements.txt, pyproject.toml,‏ composer.json,‏ index.php,‏ Gemfile,‏ go.mod,‏ deno.json או hugo.toml, או index.html כאן או ב־${folders}.${followedBy(hint?.he)}`,
    ar: `لا يوجد هنا ما يُبنى أو يُشغَّل. بحثنا عن: أمر تشغيل للتطبيق، أو Procfile فيه سطر "web:"، أو package.json فيه سكربت "start" أو "build" (ليس فيه أيٌّ منهما) أو بجانبه server.js، أو requirements.txt أو pyproject.toml أو composer.json أو index.php أو Gemfile أو go.mod أو deno.json أو hugo.toml، أو index.html هنا أو في ${folders}.${followedBy(hint?.ar)}`,
    en: `There is nothing here to build or start. Looked for: a start command of the application, a Procfile with a "web:" line, a package.json with a "start" or "build" script (it has neither) or a server.js beside it, a requirements.txt, pyproject.toml, composer.json, index.php, Gemfile, go.mod, deno.json or hugo.toml, an index.html here or in ${folders}.${followedBy(hint?.en)}`,
  }),
  compose_beside: ({ file, folders }: { file: string; folders: string }): Words => ({
    he: `יש כאן ${file}, וקובץ כזה לא נקרא: צרו אפליקציה לכל שירות${folders && ` (root: ${folders})`}, והגדירו במשתנים איפה מסד הנתונים ושאר מה שהיא צריכה.`,
    ar: `يوجد هنا ${file}، وملف كهذا لا يُقرأ: أنشئ تطبيقًا لكل خدمة${folders && ` (root: ${folders})`}، وعيّن في المتغيرات مكان قاعدة البيانات وبقية ما يحتاجه.`,
    en: `There is a ${file}, and such a file is not read: create an application for each service${folders && ` (root: ${folders})`}, and set in its variables where its database and the rest of what it needs are.`,
  }),
  applications_below: ({ folders, first }: { folders: string; first: string }): Words => ({
    he: `מה שנראה כמו אפליקציה נמצא ב־${folders}: הגדירו root, למשל "${first}".`,
    ar: `ما يبدو تطبيقًا موجود في ${folders}: عيّن root، مثل "${first}".`,
    en: `There is an application in ${folders}: set root, for example to "${first}".`,
  }),
  other_language: ({ file, language }: { file: string; language: string }): Words => ({
    he: `יש כאן ${file}, אבל ${language} לא מזוהה מעצמו: הגדירו build ו־start, או בנו לפי Dockerfile.`,
    ar: `يوجد هنا ${file}، لكن ${language} لا يُتعرَّف عليه تلقائيًا: عيّن build وstart، أو ابنِ بملف Dockerfile.`,
    en: `There is a ${file}, but ${language} is not recognised by itself: set build and start, or build by a Dockerfile.`,
  }),
  other_platform: ({ file }: { file: string }): Words => ({
    he: `${file} מיועד לפלטפורמה אחרת, ואינו אומר כאן איך מפעילים את האתר: הגדירו build, ו־start או publish.`,
    ar: `الملف ${file} مخصص لمنصة أخرى، ولا يحدد هنا كيف يُشغَّل الموقع: عيّن build، وstart أو publish.`,
    en: `${file} is for another platform, and does not say here how the site is run: set build, and start or publish.`,
  }),
  unbuilt_page: ({ page, mark, folder }: { page: string; mark: string; folder: string }): Words => ({
    he: `${page} הוא תבנית שצריך לבנות ממנה את האתר (יש בו ${mark}), אבל שום דבר לא אומר איך. הגדירו build ו־publish, למשל build: "npm run build" ו־publish: "dist". כדי לפרסם את הדף כמו שהוא, הגדירו publish: "${folder}".`,
    ar: `الملف ${page} قالب يُبنى منه الموقع (فيه ${mark})، لكن لا شيء يقول كيف. عيّن build وpublish، مثل build: "npm run build" وpublish: "dist". لنشر الصفحة كما هي عيّن publish: "${folder}".`,
    en: `${page} is a template that the site is built from (it has ${mark}), but nothing says how. Set build and publish, for example build: "npm run build" and publish: "dist". To publish the page as it is, set publish: "${folder}".`,
  }),
  broken_manifest: ({ error }: { error: string }): Words => ({
    he: `אי אפשר לקרוא את package.json: ${error}.`,
    ar: `تتعذّر قراءة package.json: ${error}.`,
    en: `package.json can’t be read: ${error}.`,
  }),
  unreadable: ({ seconds }: { seconds: number }): Words => ({
    he: `הקריאה של מה שקובע איך האתר נבנה נמשכה יותר מ־${seconds} שניות או דרשה יותר מדי זיכרון. חפשו משהו שאין לו סוף, או גדול מאוד, ב־package.json, ב־simcha.json ובקבצים של השפה.`,
    ar: `استغرقت قراءة ما يحدّد كيف يُبنى الموقع أكثر من ${arabicSeconds(seconds)} أو ذاكرة أكثر من اللازم. ابحث في package.json وsimcha.json وملفات اللغة عن شيء لا ينتهي أو كبير جدًا.`,
    en: `Reading what decides how the site is built took longer than ${seconds} s, or too much memory. Look for something endless or very large in package.json, simcha.json and the files of its language.`,
  }),
  manifest_no_object: {
    he: 'אי אפשר לקרוא את package.json: אין בו אובייקט.',
    ar: 'تتعذّر قراءة package.json: ليس فيه كائن.',
    en: 'package.json can’t be read: not an object.',
  },
  no_start: {
    he: 'האפליקציה מוגדרת כשרת, אבל שום דבר לא אומר איך מפעילים אותה. הגדירו start, באפליקציה או ב־simcha.json.',
    ar: 'التطبيق معرَّف كخادم، لكن لا شيء يقول كيف يُشغَّل. عيّن start في التطبيق أو في simcha.json.',
    en: 'The application is set to be a server, but nothing says how it is started. Set start, in the application or in simcha.json.',
  },
  only_development: ({ script, tool }: { script: string; tool: string }): Words => ({
    he: `הסקריפט start (${script}) הוא שרת פיתוח בלבד (${tool}), ולא נמצא דבר אחר לבנות או להפעיל. הגדירו start, או publish לתיקייה של אתר סטטי.`,
    ar: `السكربت start (${script}) خادم تطوير فقط (${tool})، ولم يوجد شيء آخر يُبنى أو يُشغَّل. عيّن start، أو publish لمجلد موقع ثابت.`,
    en: `The start script (${script}) is a development server alone (${tool}), and there is nothing else to build or start. Set start, or publish to the folder of a static site.`,
  }),
  no_start_in_language: ({
    language,
    file,
    example,
  }: {
    language: string;
    file: string;
    example: string;
  }): Words => ({
    he: `זה ${language} (${file}), אבל שום דבר לא אומר איך מפעילים אותו. הגדירו start, או Procfile עם שורת "web:", למשל \`${example}\`.`,
    ar: `هذا ${language} (${file})، لكن لا شيء يقول كيف يُشغَّل. عيّن start، أو Procfile فيه سطر "web:"، مثل \`${example}\`.`,
    en: `This is ${language} (${file}), but nothing says how it is started. Set start, or a Procfile with a "web:" line, such as \`${example}\`.`,
  }),
  needs_server: ({ framework, needs, file }: { framework: string; needs: string; file: string }): Words => ({
    he: `זה ${framework}, אבל אין ב־${file} שום דבר שמגיש אותו למבקרים. הוסיפו ${needs}, או הגדירו start.`,
    ar: `هذا ${framework}، لكن ليس في ${file} ما يقدّمه للزوار. أضف ${needs}، أو عيّن start.`,
    en: `This is ${framework}, but nothing in ${file} serves it to visitors. Add ${needs}, or set start.`,
  }),
  needs_adapter: ({ framework, packages }: { framework: string; packages: string }): Words => ({
    he: `${framework} לא בונה דבר שפועל כאן. השתמשו באחת החבילות ${packages}, או הגדירו start או publish.`,
    ar: `لا يبني ${framework} شيئًا يعمل هنا. استخدم إحدى الحزم ${packages}، أو عيّن start أو publish.`,
    en: `${framework} builds nothing that runs here. Use one of ${packages}, or set start or publish.`,
  }),
  machine_gone: ({ machine }: { machine: string }): Words => ({
    he: `אובדן המכונה (${machine})`,
    ar: `فقدان الجهاز (${machine})`,
    en: `lost its machine (${machine})`,
  }),
  image_away: ({ machine }: { machine: string }): Words => ({
    he: `המכונה ${machine} לא הצליחה להביא את תמונת האתר ממאגר התמונות של האשכול`,
    ar: `لم يتمكّن الجهاز ${machine} من جلب صورة الموقع من مستودع صور العنقود`,
    en: `The machine ${machine} could not bring the site’s image from the registry of the cluster’s images`,
  }),
  registry_away: {
    he: 'מאגר התמונות של האשכול אינו זמין כרגע. פרסו שוב בעוד כמה דקות; אם זה נמשך, פנו למי שמפעיל את השרת.',
    ar: 'مستودع صور العنقود غير متاح الآن. انشر من جديد بعد بضع دقائق؛ وإن استمر ذلك فأخبر من يشغّل الخادم.',
    en: 'The registry of the cluster’s images is not to be had now. Deploy again in a few minutes; where it stays so, tell whoever runs this server.',
  },
  no_machine: ({ error }: { error: string }): Words => ({
    he: `אין מכונה באשכול שיכולה להריץ את האתר: ${error}`,
    ar: `لا جهاز في العنقود يستطيع تشغيل الموقع: ${error}`,
    en: `No machine of the cluster can run the site: ${error}`,
  }),
  not_started: ({ seconds, tasks }: { seconds: number; tasks: string }): Words => ({
    he: `האתר לא התחיל לרוץ באשכול בתוך ${seconds} שניות (${tasks})`,
    ar: `لم يبدأ الموقع في العنقود خلال ${arabicSeconds(seconds)} (${tasks})`,
    en: `The site did not start in the cluster within ${seconds} s (${tasks})`,
  }),
  engine_away: ({ error }: { error: string }): Words => ({
    he: `מנוע הקונטיינרים אינו עונה: ${error}. פרסו שוב כשיענה.`,
    ar: `محرّك الحاويات لا يجيب: ${error}. انشر من جديد حين يجيب.`,
    en: `The container engine does not answer: ${error}. Deploy again once it does.`,
  }),
  image_missing: ({ image }: { image: string }): Words => ({
    he: `תמונת הבסיס ${image} אינה במנוע, ובמאגר שלה אין תמונה בשם הזה, או שהיא פרטית.`,
    ar: `صورة الأساس ${image} ليست لدى المحرّك، وليس في مستودعها صورة بهذا الاسم، أو أنها خاصة.`,
    en: `The engine has no image ${image} to build on, and its registry has none of that name, or not for everybody.`,
  }),
  image_unreached: ({ image }: { image: string }): Words => ({
    he: `תמונת הבסיס ${image} אינה במנוע, ואי אפשר להביא אותה עכשיו מהמאגר שלה.`,
    ar: `صورة الأساس ${image} ليست لدى المحرّك، ولا يمكن جلبها الآن من مستودعها.`,
    en: `The engine has no image ${image} to build on, and it can’t be had from its registry now.`,
  }),
  image_node: ({ image, wanted, has }: { image: string; wanted: string; has: string }): Words => ({
    he: `מתבקשת Node.js ${wanted}, ובתמונת הבסיס ${image} יש ${has}. בקשו גרסה אחרת ב־.node-version,‏ ב־.nvmrc או ב־engines, או הגדירו node.`,
    ar: `المطلوب Node.js ${wanted}، وفي صورة الأساس ${image} الإصدار ${has}. اطلب إصدارًا آخر في ‎.node-version أو ‎.nvmrc أو engines، أو عيّن node.`,
    en: `Node.js ${wanted} is asked for, and the image ${image} has ${has}. Ask for another version in .node-version, .nvmrc or engines, or set node.`,
  }),
  image_program: ({ name, image, setting }: { name: string; image: string; setting: string }): Words => ({
    he: `לשם כך נדרש ${name}, ואין אותו בתמונת הבסיס ${image}, שמפעיל השרת קובע ב־${setting}.`,
    ar: `يلزم لذلك ${name}، وهو غير موجود في صورة الأساس ${image} التي يحددها مشغّل الخادم في ${setting}.`,
    en: `This needs ${name}, which the image ${image} has not got; whoever runs this server names another in ${setting}.`,
  }),
  dockerfile_only: ({ file }: { file: string }): Words => ({
    he: `האתר נבנה לפי ${file}, וכאן לא בונים לפיו: לשם כך אתרים צריכים לרוץ כקונטיינרים של Docker, ומפעיל השרת צריך לאפשר זאת (APPS_DOCKERFILES).`,
    ar: `يُبنى الموقع بـ${file}، ولا يُبنى به هنا: يلزم لذلك أن تعمل المواقع كحاويات Docker، وأن يسمح به مشغّل الخادم (APPS_DOCKERFILES).`,
    en: `The site is built by its ${file}, and none is built by that here: it takes sites as containers of Docker, where whoever runs the server allows it (APPS_DOCKERFILES).`,
  }),
  dockerfile_unbuilt: ({ file, why }: { file: string; why: Words }): Words => ({
    he: `כאן לא בונים לפי ${file}: לשם כך אתרים צריכים לרוץ כקונטיינרים של Docker, ומפעיל השרת צריך לאפשר זאת (APPS_DOCKERFILES). בלעדיו: ${why.he}`,
    ar: `لا يُبنى هنا بـ${file}: يلزم لذلك أن تعمل المواقع كحاويات Docker، وأن يسمح به مشغّل الخادم (APPS_DOCKERFILES). ومن دونه: ${why.ar}`,
    en: `Nothing is built by the ${file} here: that takes sites as containers of Docker, where whoever runs the server allows it (APPS_DOCKERFILES). Without it: ${why.en}`,
  }),
  dockerfile_untrusted: ({ file }: { file: string }): Words => ({
    he: `האתר נבנה לפי ${file}, וכאן לא בונים לפיו, כי כל אחד יכול להירשם לשרת. מפעיל השרת יכול להגביל את ההרשמה (REGISTRATION) או לאפשר זאת בכל זאת (APPS_DOCKERFILES=on).`,
    ar: `يُبنى الموقع بـ${file}، ولا يُبنى به هنا، لأن التسجيل في الخادم مفتوح للجميع. يمكن لمشغّل الخادم أن يقيّد التسجيل (REGISTRATION) أو أن يسمح به مع ذلك (APPS_DOCKERFILES=on).`,
    en: `The site is built by its ${file}, and Dockerfiles are not built here, because anyone can register. The operator can limit registration (REGISTRATION), or allow Dockerfiles nevertheless (APPS_DOCKERFILES=on).`,
  }),
  dockerfile_missing: ({ file }: { file: string }): Words => ({
    he: `אין כאן קובץ ${file}, שלפיו התמונה אמורה להיבנות.`,
    ar: `لا يوجد هنا ملف ${file} الذي تُبنى به الصورة.`,
    en: `There is no file ${file} here to build the image by.`,
  }),
  dockerfile_target: ({ file, target }: { file: string; target: string }): Words => ({
    he: `אין ב־${file} שלב בשם "${target}".`,
    ar: `لا توجد في ${file} مرحلة باسم "${target}".`,
    en: `The ${file} has no stage "${target}".`,
  }),
  dockerfile_refused: ({ file, error }: { file: string; error: string }): Words => ({
    he: `אי אפשר לבנות לפי ${file}: ${error}`,
    ar: `يتعذّر البناء بـ${file}: ${error}`,
    en: `The image can’t be built by ${file}: ${error}`,
  }),
  dockerignore_line: ({ line }: { line: string }): Words => ({
    he: `אי אפשר לקרוא את השורה "${line}" ב־.dockerignore.`,
    ar: `تتعذّر قراءة السطر "${line}" في ‎.dockerignore.`,
    en: `The line “${line}” of the .dockerignore can’t be read.`,
  }),
  dockerignore_endless: ({ seconds }: { seconds: number }): Words => ({
    he: `בחירת הקבצים לבנייה לפי ה־.dockerignore נמשכה יותר מ־${seconds} שניות. פשטו אותו.`,
    ar: `استغرق اختيار ملفات البناء بحسب ‎.dockerignore أكثر من ${arabicSeconds(seconds)}. بسّطه.`,
    en: `To choose the files of the build by its .dockerignore took longer than ${seconds} s. Make it simpler.`,
  }),
  no_shell: ({ command }: { command: string }): Words => ({
    he: `אי אפשר להריץ את \`${command}\`: בתמונה אין ‎/bin/sh, והיא יכולה להריץ רק את הפקודה שלה עצמה.`,
    ar: `يتعذّر تشغيل \`${command}\`: ليس في الصورة ‎/bin/sh، ولا تشغّل إلا أمرها هي.`,
    en: `\`${command}\` can’t be run: the image has no /bin/sh, and can run its own command alone.`,
  }),
  no_own_command: {
    he: 'התמונה אינה אומרת מה להריץ. הוסיפו CMD או ENTRYPOINT ל־Dockerfile, או הגדירו start.',
    ar: 'لا تقول الصورة ما الذي يُشغَّل. أضف CMD أو ENTRYPOINT إلى Dockerfile، أو عيّن start.',
    en: 'The image does not say what to run. Add a CMD or ENTRYPOINT to the Dockerfile, or set start.',
  },
  procfile_line: ({ line, text }: { line: number; text: string }): Words => ({
    he: `שורה ${line} ב־Procfile אינה תהליך: "${text}". נדרש \u2066<שם>: <פקודה>\u2069, למשל \u2066web: node server.js\u2069.`,
    ar: `السطر ${line} في Procfile ليس عملية: "${text}". المطلوب \u2066<الاسم>: <الأمر>\u2069، مثل \u2066web: node server.js\u2069.`,
    en: `Line ${line} of the Procfile is no process: “${text}”. It takes <name>: <command>, such as web: node server.js.`,
  }),
  process_name: ({ name }: { name: string }): Words => ({
    he: `לתהליך ב־Procfile אי אפשר לקרוא "${name}": עד 31 אותיות לטיניות קטנות, ספרות ומקפים, והראשונה אות.`,
    ar: `لا يمكن تسمية عملية في Procfile باسم "${name}": حتى 31 من الأحرف اللاتينية الصغيرة والأرقام والشرطات، وأولها حرف.`,
    en: `A process of the Procfile can’t be called "${name}": up to 31 lower-case Latin letters, digits and hyphens, the first a letter.`,
  }),
  too_many_kinds: ({ most }: { most: number }): Words => ({
    he: `יותר מ־${most} תהליכים בשמות שונים.`,
    ar: `أكثر من ${most} عملية بأسماء مختلفة.`,
    en: `There are more than ${most} processes of different names.`,
  }),
  plan_file_broken: ({ error }: { error: string }): Words => ({
    he: `אי אפשר לקרוא את simcha.json: ${error}.`,
    ar: `تتعذّر قراءة simcha.json: ${error}.`,
    en: `simcha.json can’t be read: ${error}.`,
  }),
  plan_file_unknown: ({ field, known }: { field: string; known: string }): Words => ({
    he: `ב־simcha.json יש שדה לא מוכר, "${field}". השדות המוכרים: ${known}.`,
    ar: `في simcha.json حقل غير معروف، "${field}". الحقول المعروفة: ${known}.`,
    en: `simcha.json has a field that is not known, "${field}". Known are: ${known}.`,
  }),
  node_unreadable: ({ by, value }: { by: string; value: string }): Words => ({
    he: `${by} מבקש את Node.js בגרסה "${value}", וזו אינה גרסה. כתבו גרסה כמו 22, ‎>=20 <23 או lts/jod, או הגדירו node.`,
    ar: `يطلب ${by} إصدار Node.js "${value}"، وليس هذا إصدارًا. اكتب إصدارًا مثل 22 أو ‎>=20 <23 أو lts/jod، أو عيّن node.`,
    en: `${by} asks for Node.js "${value}", which is no version. Write one such as 22, >=20 <23 or lts/jod, or set node.`,
  }),
  node_unmet: ({ wanted, error }: { wanted: string; error: string }): Words => ({
    he: `אי אפשר להביא את Node.js ${wanted} מהמאגר של npm: ${error}. בקשו גרסה אחרת ב־.node-version,‏ ב־.nvmrc או ב־engines, או הגדירו node.`,
    ar: `تعذّر إحضار Node.js ${wanted} من سجل npm: ${error}. اطلب إصدارًا آخر في ‎.node-version أو ‎.nvmrc أو engines، أو عيّن node.`,
    en: `Node.js ${wanted} is not to be had from the npm registry: ${error}. Ask for another version in .node-version, .nvmrc or engines, or set node.`,
  }),
  node_crowded: ({ wanted, most, there }: { wanted: string; most: number; there: string }): Words => ({
    he: `אי אפשר להביא את Node.js ${wanted}: בשרת הזה יש כבר ${most} גרסאות, וזה הכי הרבה שהוא שומר. בקשו אחת מהן (${there}), או נסו שוב בעוד שעה.`,
    ar: `تعذّر إحضار Node.js ${wanted}: على هذا الخادم ${most} إصدارًا، وهذا أقصى ما يحتفظ به. اطلب أحدها (${there})، أو حاول ثانية بعد ساعة.`,
    en: `Node.js ${wanted} is not fetched: this server has ${most} versions already, and keeps no more. Ask for one of them (${there}), or try again in an hour.`,
  }),
  accepts_node: {
    he: 'נדרשת גרסה של Node.js, כמו "22", ‎">=20 <23" או "lts/jod"',
    ar: 'يلزم إصدار من Node.js، مثل "22" أو ‎">=20 <23" أو "lts/jod"',
    en: 'must be a version of Node.js, such as "22", ">=20 <23" or "lts/jod"',
  },
  plan_file_field: ({ field, accepted }: { field: string; accepted: Words }): Words => ({
    he: `ב־simcha.json, בשדה "${field}": ${accepted.he}.`,
    ar: `في simcha.json، في الحقل "${field}": ${accepted.ar}.`,
    en: `simcha.json, "${field}": ${accepted.en}.`,
  }),
  accepts_command: ({ most }: { most: number }): Words => ({
    he: `נדרשת פקודה בשורה אחת, עד ${most} תווים`,
    ar: `يلزم أمر في سطر واحد، من ${most} حرف على الأكثر`,
    en: `must be a command on one line, of at most ${most} characters`,
  }),
  accepts_process_name: {
    he: 'נדרש שם של תהליך: עד 31 אותיות לטיניות קטנות, ספרות ומקפים, והראשונה אות',
    ar: 'يلزم اسم عملية: حتى 31 من الأحرف اللاتينية الصغيرة والأرقام والشرطات، وأولها حرف',
    en: 'must be the name of a process: up to 31 lower-case Latin letters, digits and hyphens, the first a letter',
  },
  accepts_schedule: {
    he: 'נדרש לוח זמנים של cron בחמישה שדות, למשל "30 4 * * *", או שם כמו @daily, שמועד כלשהו מתאים לו',
    ar: 'يلزم جدول cron من خمسة حقول، مثل "30 4 * * *"، أو اسم مثل @daily، يوافقه وقت ما',
    en: 'must be a cron schedule of five fields, such as "30 4 * * *", or a name such as @daily, that ever comes',
  },
  accepts_one_of: ({ values }: { values: string }): Words => ({
    he: `נדרש אחד מאלה: ${values}`,
    ar: `يلزم واحد من: ${values}`,
    en: `must be one of: ${values}`,
  }),
  accepts_folder: {
    he: 'נדרשת תיקייה בתוך האפליקציה, למשל dist',
    ar: 'يلزم مجلد داخل التطبيق، مثل dist',
    en: 'must be a folder inside the application, such as dist',
  },
  accepts_folders: ({ most }: { most: number }): Words => ({
    he: `נדרשת רשימה של עד ${most} תיקיות בתוך האפליקציה, למשל .next/cache`,
    ar: `تلزم قائمة من ${most} مجلدًا على الأكثر داخل التطبيق، مثل ‎.next/cache`,
    en: `must be a list of up to ${most} folders inside the application, such as .next/cache`,
  }),
  accepts_port: {
    he: 'נדרש מספר שלם מ־1 עד 65535',
    ar: 'يلزم عدد صحيح من 1 إلى 65535',
    en: 'must be a whole number from 1 to 65535',
  },
  accepts_path: {
    he: 'נדרש נתיב שמתחיל ב־/ אחד, למשל /healthz, בתווי ASCII ובלי רווחים',
    ar: 'يلزم مسار يبدأ بـ / واحدة، مثل /healthz، برموز ASCII ودون مسافات',
    en: 'must be a path that starts with one /, such as /healthz, of ASCII without spaces',
  },
  accepts_object: { he: 'נדרש אובייקט', ar: 'يلزم كائن', en: 'must be an object' },
  accepts_jobs: ({ most }: { most: number }): Words => ({
    he: `נדרשת רשימה של עד ${most} משימות, לכל אחת name,‏ schedule ו־command`,
    ar: `تلزم قائمة من ${most} مهمة على الأكثر، لكل منها name وschedule وcommand`,
    en: `must be a list of up to ${most} jobs, each with name, schedule and command`,
  }),
  accepts_dockerfile: {
    he: 'נדרש קובץ בתוך האפליקציה, למשל docker/Dockerfile, או false',
    ar: 'يلزم ملف داخل التطبيق، مثل docker/Dockerfile، أو false',
    en: 'must be a file inside the application, such as docker/Dockerfile, or false',
  },
  accepts_stage: {
    he: 'נדרש שם של שלב ב־Dockerfile',
    ar: 'يلزم اسم مرحلة في Dockerfile',
    en: 'must be the name of a stage of the Dockerfile',
  },
  accepts_arguments: ({ most }: { most: number }): Words => ({
    he: `נדרש אובייקט של עד ${most} טקסטים לפי שמות, למשל {"VERSION": "22"}`,
    ar: `يلزم كائن من ${most} نصًا على الأكثر بأسمائها، مثل {"VERSION": "22"}`,
    en: `must be an object of up to ${most} texts by their names, such as {"VERSION": "22"}`,
  }),
  accepts_own_name: {
    he: 'לכל משימה שם משלה',
    ar: 'لكل مهمة اسم خاص بها',
    en: 'each job has a name of its own',
  },
  accepts_start_once: {
    he: 'או start או processes.web, לא שניהם',
    ar: 'إما start أو processes.web، لا كلاهما',
    en: 'either start or processes.web, not both',
  },
  unusable_command: ({ command, most }: { command: string; most: number }): Words => ({
    he: `אי אפשר להריץ את הפקודה "${command}": בפקודה עד ${most} תווים, בלי תו NUL.`,
    ar: `يتعذّر تشغيل الأمر "${command}": في الأمر حتى ${most} حرف، من دون الحرف NUL.`,
    en: `The command "${command}" can’t be run: a command has up to ${most} characters and no NUL.`,
  }),
  no_root: ({ root }: { root: string }): Words => ({
    he: `במאגר אין תיקייה "${root}".`,
    ar: `لا يوجد في المستودع مجلد "${root}".`,
    en: `The repository has no folder "${root}".`,
  }),

  // Build
  program_missing: ({ name, command }: { name: string; command: string }): Words => ({
    he: `לשם כך נדרש ${name}, ואין אותו במחשב שמריץ את האתרים: ${command}.`,
    ar: `يلزم لذلك ${name}، وهو غير موجود على الجهاز الذي يشغّل المواقع: ${command}.`,
    en: `This needs ${name}, which the machine that runs the sites has not got: ${command}.`,
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
    he: `לפי ${by} נדרשת גרסה ${version} של ${language}, ובמחשב שמריץ את האתרים יש ${has}.`,
    ar: `بحسب ${by} يلزم الإصدار ${version} من ${language}، وعلى الجهاز الذي يشغّل المواقع ${has}.`,
    en: `${by} asks for ${language} ${version}, and the machine that runs the sites has ${has}.`,
  }),
  command_failed: ({ command, how, said }: { command: string } & Nested & Quoted): Words => ({
    he: `הפקודה \`${command}\` לא הצליחה: ${how.he}.${said === undefined ? '' : ` הפלט שלה: ”${said}“.`}`,
    ar: `لم ينجح الأمر \`${command}\`: ${how.ar}.${said === undefined ? '' : ` مخرجاته: ”${said}“.`}`,
    en: `\`${command}\` ${how.en}.${said === undefined ? '' : ` It said: “${said}”.`}`,
  }),
  release_failed: ({ command, how, said }: { command: string } & Nested & Quoted): Words => ({
    he: `פקודת השחרור \`${command}\` לא הצליחה: ${how.he}.${said === undefined ? '' : ` הפלט שלה: ”${said}“.`}`,
    ar: `لم ينجح أمر الإصدار \`${command}\`: ${how.ar}.${said === undefined ? '' : ` مخرجاته: ”${said}“.`}`,
    en: `The release command \`${command}\` ${how.en}.${said === undefined ? '' : ` It said: “${said}”.`}`,
  }),
  build_exceeds: ({ how }: Nested): Words => ({
    he: `מה שהבנייה יצרה ${how.he}.`,
    ar: `ما أنشأه البناء ${how.ar}.`,
    en: `What the build made ${how.en}.`,
  }),
  runtime_lacks: ({ capability }: { capability: string }): Words => ({
    he: `השרת הזה אינו יודע לעשות מה שהאתר דורש (${capability}).`,
    ar: `لا يستطيع هذا الخادم ما يتطلبه الموقع (${capability}).`,
    en: `The site asks for what this server can’t do (${capability}).`,
  }),
  sandbox_missing: ({ command }: { command: string }): Words => ({
    he: `בשרת הזה אין סביבה מבודדת להרצת אתרים; מי שמפעיל אותו מתקין אותה בפקודה \`${command}\`.`,
    ar: `لا توجد في هذا الخادم بيئة معزولة لتشغيل المواقع؛ يثبّتها مشغّله بالأمر \`${command}\`.`,
    en: `This server has no sandbox to run sites in; whoever operates it installs one with \`${command}\`.`,
  }),
  sandbox_fails: ({ error }: { error: string }): Words => ({
    he: `הסביבה המבודדת להרצת אתרים אינה פועלת בשרת הזה: ${error}.`,
    ar: `لا تعمل البيئة المعزولة لتشغيل المواقع في هذا الخادم: ${error}.`,
    en: `The sandbox that sites run in does not work on this server: ${error}.`,
  }),
  pages_in: ({ folders, first }: { folders: string; first: string }): Words => ({
    he: `יש אחד ב־${folders}: הגדירו publish, למשל "${first}".`,
    ar: `يوجد واحد في ${folders}: عيّن publish، مثل "${first}".`,
    en: `There is one in ${folders}: set publish, for example to "${first}".`,
  }),
  no_index: ({ folders, root = 1, hint }: Looked & { root?: number }): Words => {
    const either = (inFolders: string, or: string, inRoot: string) =>
      [...(folders === '' ? [] : [inFolders]), ...(root > 0 ? [inRoot] : [])].join(or);
    return {
      he: `הבנייה הסתיימה בהצלחה, אבל לא השאירה index.html ${either(`ב־${folders}`, ' או ', 'בשורש')}.${followedBy(hint?.he)}`,
      ar: `انتهى البناء بنجاح، لكنه لم يترك index.html ${either(`في ${folders}`, ' أو ', 'في الجذر')}.${followedBy(hint?.ar)}`,
      en: `The build ended well, but left no index.html in ${either(folders, ' or ', 'the root')}.${followedBy(hint?.en)}`,
    };
  },
  link_outside: ({ path }: { path: string }): Words => ({
    he: `הקישור "${path}" יוצא מהתיקייה של האתר; באתר סטטי זה אסור.`,
    ar: `الرابط "${path}" يقود إلى خارج مجلد الموقع؛ لا يجوز ذلك في موقع ثابت.`,
    en: `The link "${path}" leads out of the site’s folder; a static site can’t have one.`,
  }),
  volume_covered: ({ volume, path }: { volume: string; path: string }): Words => ({
    he: `בתמונה יש VOLUME ב־${path}, בתוך ${volume}: מה שנכתב שם לא היה נשמר. הניחו אחסון ב־${path} עצמו, או השמיטו את ה־VOLUME.`,
    ar: `في الصورة VOLUME عند ${path}، داخل ${volume}: ما يُكتب هناك لن يبقى. ضع وحدة تخزين عند ${path} نفسه، أو احذف VOLUME.`,
    en: `The image has a VOLUME at ${path}, within ${volume}: what is written there would not stay. Put a volume at ${path} itself, or leave the VOLUME out.`,
  }),
  volume_through_link: ({ volume, path }: { volume: string; path: string }): Words => ({
    he: `הדרך אל האחסון ${volume} עוברת ב־"${path}", שאינו תיקייה; אחסון לא מונח דרך קישור או קובץ.`,
    ar: `الطريق إلى وحدة التخزين ${volume} يمرّ بـ"${path}" وهو ليس مجلدًا؛ لا توضع وحدة تخزين عبر رابط أو ملف.`,
    en: `The way to the volume at ${volume} leads through “${path}”, which is no folder: no volume is put behind a link or a file.`,
  }),
  volume_elsewhere: ({ path, runtime, how }: { path: string; runtime: string } & Nested): Words => ({
    he: `מה ששמור ב־${path} נמצא היכן שהאתר פעל קודם (APPS_RUNTIME=${runtime}), ואי אפשר להביא אותו משם עכשיו; האתר לא מתחיל בלעדיו. ${how.he}`,
    ar: `ما هو محفوظ في ${path} موجود حيث كان الموقع يعمل سابقًا (APPS_RUNTIME=${runtime})، ولا يمكن إحضاره من هناك الآن؛ لا يبدأ الموقع من دونه. ${how.ar}`,
    en: `What is kept at ${path} is where the site ran before (APPS_RUNTIME=${runtime}), and can’t be brought from there now: the site does not start without it. ${how.en}`,
  }),
  kept_away: {
    he: 'אין אליו דרך כרגע, או שאי אפשר לקרוא את כולו.',
    ar: 'لا طريق إليه الآن، أو لا يمكن قراءته كله.',
    en: 'There is no way to it at present, or not all of it can be read.',
  },
  kept_too_large: {
    he: 'הוא גדול ממה שמותר לכרך, כולל החורים שבקבצים.',
    ar: 'هو أكبر مما يُسمح به لوحدة التخزين، مع الفراغات التي في الملفات.',
    en: 'It is larger than a volume may be, the holes in its files included.',
  },
  too_deep: {
    he: 'התיקיות של האתר מקוננות עמוק מדי: נתיב באתר סטטי הוא של 4,000 תווים לכל היותר.',
    ar: 'مجلدات الموقع متداخلة أكثر من اللازم: المسار في موقع ثابت لا يتجاوز 4,000 حرف.',
    en: 'The site’s folders are nested too deeply: a path in a static site may have up to 4,000 characters.',
  },
  not_searchable: ({ error }: { error: string }): Words => ({
    he: `אי אפשר לעבור על התיקייה של האתר: ${error}.`,
    ar: `يتعذّر تفحّص مجلد الموقع: ${error}.`,
    en: `The site’s folder can’t be looked through: ${error}.`,
  }),

  // First answer of the site
  ended_before_healthy: ({ how, said, hint }: Nested & Quoted & { hint?: Words }): Words => ({
    he: `האתר לא הספיק לענות: ${how.he}.${siteOutput(said).he}${followedBy(hint?.he)}`,
    ar: `لم يتمكن الموقع من الإجابة: ${how.ar}.${siteOutput(said).ar}${followedBy(hint?.ar)}`,
    en: `The site ${how.en} before it answered.${siteOutput(said).en}${followedBy(hint?.en)}`,
  }),
  error_in_package: ({ version, earlier }: { version: string; earlier: number }): Words => ({
    he: `השגיאה באה מחבילה, והאתר רץ ב־Node.js ${version}: לחבילות ישנות דרושה לפעמים גרסה מוקדמת יותר, למשל node: "${earlier}".`,
    ar: `الخطأ صادر عن حزمة، والموقع عمل على Node.js ${version}: قد تحتاج الحزم القديمة إلى إصدار أقدم، مثل node: "${earlier}".`,
    en: `The error comes from a package, and the site ran with Node.js ${version}: older packages may need an earlier version, such as node: "${earlier}".`,
  }),
  not_healthy: ({ path, seconds, said }: { path: string; seconds: number } & Quoted): Words => ({
    he: `האתר לא ענה בנתיב ${path} בסטטוס נמוך מ־500 בתוך ${seconds} שניות.${siteOutput(said).he}`,
    ar: `لم يُجب الموقع عند ${path} بحالة دون 500 خلال ${arabicSeconds(seconds)}.${siteOutput(said).ar}`,
    en: `The site did not answer at ${path} with a status under 500 within ${seconds} s.${siteOutput(said).en}`,
  }),
  not_healthy_at_last: ({
    path,
    seconds,
    last,
    said,
  }: { path: string; seconds: number; last: Words } & Quoted): Words => ({
    he: `האתר לא ענה בנתיב ${path} בסטטוס נמוך מ־500 בתוך ${seconds} שניות (${last.he}).${siteOutput(said).he}`,
    ar: `لم يُجب الموقع عند ${path} بحالة دون 500 خلال ${arabicSeconds(seconds)} (${last.ar}).${siteOutput(said).ar}`,
    en: `The site did not answer at ${path} with a status under 500 within ${seconds} s (${last.en}).${siteOutput(said).en}`,
  }),
  not_listening: ({ port, seconds, said }: { port: number; seconds: number } & Quoted): Words => ({
    he: `האתר לא האזין בפורט ${port}, שהמשתנה PORT נוקב בו, בתוך ${seconds} שניות.${siteOutput(said).he}`,
    ar: `لم يستمع الموقع على المنفذ ${port} الذي يحدّده المتغيّر PORT خلال ${arabicSeconds(seconds)}.${siteOutput(said).ar}`,
    en: `Nothing listened on port ${port}, which the variable PORT names, within ${seconds} s.${siteOutput(said).en}`,
  }),
  listens_elsewhere: ({ port, seconds, ports }: { port: number; seconds: number; ports: string }): Words => ({
    he: `האתר לא האזין בפורט ${port}, שהמשתנה PORT נוקב בו, בתוך ${seconds} שניות; הוא מאזין בפורט ${ports}.`,
    ar: `لم يستمع الموقع على المنفذ ${port} الذي يحدّده المتغيّر PORT خلال ${arabicSeconds(seconds)}؛ إنه يستمع على المنفذ ${ports}.`,
    en: `Nothing listened on port ${port}, which the variable PORT names, within ${seconds} s; the site listens on port ${ports}.`,
  }),
  last_status: ({ status }: { status: number }): Words => ({
    he: `התשובה האחרונה הייתה ${status}`,
    ar: `كانت الإجابة الأخيرة ${status}`,
    en: `the last answer was ${status}`,
  }),
  no_answer: ({ error }: { error: string }): Words => ({
    he: `אין תשובה: ${error}`,
    ar: `لا إجابة: ${error}`,
    en: `no answer: ${error}`,
  }),
  no_answer_in_time: { he: 'אין תשובה: תם הזמן', ar: 'لا إجابة: انتهت المهلة', en: 'no answer: timeout' },
  connection_closed: {
    he: 'אין תשובה: החיבור נסגר',
    ar: 'لا إجابة: أُغلق الاتصال',
    en: 'no answer: the connection was closed',
  },

  // Deployment itself
  cancelled: { he: 'הפריסה בוטלה.', ar: 'أُلغي النشر.', en: 'Cancelled.' },
  no_host: {
    he: 'אין כרגע שרת שמריץ אתרים. הפריסה תתחיל כשיהיה.',
    ar: 'لا يوجد الآن خادم يشغّل المواقع. يبدأ النشر حين يتوفّر.',
    en: 'No server runs sites now; it begins once one does.',
  },
  earlier_deployment: {
    he: 'הפריסה שלפניה עדיין בעבודה.',
    ar: 'النشر الذي قبله ما زال قيد العمل.',
    en: 'The deployment before it is still under way.',
  },
  other_deployments: {
    he: 'היא תתחיל אחרי פריסות שכבר התחילו.',
    ar: 'يبدأ بعد عمليات نشر بدأت قبله.',
    en: 'It begins after deployments that began before it.',
  },
  place_to_build: {
    he: 'היא ממתינה למקום פנוי לבנייה.',
    ar: 'ينتظر مكانًا شاغرًا للبناء.',
    en: 'It waits for a free place to build.',
  },
  run_cancelled: { he: 'ההרצה בוטלה.', ar: 'أُلغي التشغيل.', en: 'Cancelled.' },
  server_ended: {
    he: 'השרת נעצר באמצע ההרצה; היא אינה מתחילה שוב מעצמה.',
    ar: 'توقّف الخادم أثناء التشغيل، وهو لا يبدأ من جديد تلقائيًا.',
    en: 'The server ended in the midst of it; it is not begun again by itself.',
  },
  still_running: {
    he: 'ההרצה הקודמת של המשימה עוד לא הסתיימה.',
    ar: 'لم ينتهِ التشغيل السابق للمهمة بعد.',
    en: 'The job’s run before had not ended yet.',
  },
  missed: {
    he: 'בזמן הזה שום שרת לא הפעיל אתרים, ומאז עברה יותר משעה.',
    ar: 'لم يكن أي خادم يشغّل المواقع في ذلك الوقت، ومضى عليه أكثر من ساعة.',
    en: 'No server ran sites at that time, which is more than an hour ago.',
  },
  superseded: {
    he: 'פריסה חדשה יותר באה במקומה.',
    ar: 'حلّ محلّه نشر أحدث.',
    en: 'A newer deployment took its place.',
  },
  application_gone: {
    he: 'האפליקציה נמחקה.',
    ar: 'حُذف التطبيق.',
    en: 'The application was deleted.',
  },
  release_gone: {
    he: 'הגרסה כבר אינה בדיסק; פרסו שוב.',
    ar: 'الإصدار لم يعد على القرص؛ انشر من جديد.',
    en: 'The release is not on disk any more; deploy again.',
  },
  too_many_attempts: {
    he: 'השרת נעצר באמצע הפריסה הזאת, כמה פעמים.',
    ar: 'توقّف الخادم أثناء هذا النشر عدة مرات.',
    en: 'The server ended while it worked on this deployment, several times over.',
  },
  no_files: {
    he: 'לשרת נגמרו הקבצים והחיבורים שמותר לו לפתוח; זה לא באתר. פנו למי שמפעיל את השרת (`ulimit -n`), ונסו שוב.',
    ar: 'نفد ما يُسمح للخادم بفتحه من ملفات واتصالات؛ ليس هذا خطأ الموقع. تواصلوا مع مشغّل الخادم (`ulimit -n`) وحاولوا مجددًا.',
    en: 'The server may open no more files and connections; this is not the site’s fault. Ask whoever runs the server to raise the limit (`ulimit -n`), and try again.',
  },
  no_room: {
    he: 'על הדיסק של השרת אין עכשיו מקום. אפשר לנסות שוב מאוחר יותר.',
    ar: 'لا توجد الآن مساحة على قرص الخادم. يمكن المحاولة مجددًا لاحقًا.',
    en: 'There is no room on the server’s disk right now. Try again later.',
  },
  over_budget: (params: { resource: string; most: number; after: number; by: string }): Words =>
    overBudget(params),
  disk_budget_full: ({ most, used, by }: { most: number; used: number; by: string }): Words => ({
    he: `האפליקציות שלך תופסות יחד ${used} MiB בדיסק, מתוך מכסה של ${most} MiB (${by}). אפשר למחוק אפליקציה, תצוגה מקדימה או קבצים מכרך, או לבקש מכסה גדולה יותר ממפעילי השרת.`,
    ar: `تشغل تطبيقاتك معًا ${used} MiB من القرص، من حصة قدرها ${most} MiB (${by}). يمكن حذف تطبيق أو معاينة أو ملفات من وحدة تخزين، أو طلب حصة أكبر من مشغّلي الخادم.`,
    en: `Your applications fill ${used} MiB of disk together, of the ${most} MiB that they may (${by}). Delete an application, a preview or files in a volume, or ask the operator for a larger budget.`,
  }),
  internal: {
    he: 'משהו השתבש אצלנו. פרסו שוב.',
    ar: 'حدث خطأ من جهتنا. انشر من جديد.',
    en: 'Something went wrong on our side. Deploy again.',
  },

  // Site that served before
  site_ended: ({ how }: Nested): Words => ({
    he: `האתר ירד: ${how.he}.`,
    ar: `توقّف الموقع: ${how.ar}.`,
    en: `The site ${how.en}.`,
  }),
  site_stopped: { he: 'האתר נעצר בידי בעליו.', ar: 'أوقفه صاحبه.', en: 'Stopped by its owner.' },
  did_not_come_back: ({ why }: { why: Words }): Words => ({
    he: `הוא לא חזר: ${clause(why.he)}`,
    ar: `لم يعد: ${clause(why.ar)}`,
    en: `did not come back: ${clause(why.en)}`,
  }),
  our_fault: {
    he: 'משהו השתבש אצלנו.',
    ar: 'حدث خطأ من جهتنا.',
    en: 'Something went wrong on our side.',
  },
} as const;

/** Names of a budget's resources, with their units. */
const RESOURCE_WORDS: Readonly<Record<string, Words>> = {
  applications: { he: 'אפליקציות', ar: 'تطبيقات', en: 'applications' },
  replicas: { he: 'תהליכים שרצים', ar: 'نُسخ عاملة', en: 'running replicas' },
  memory_mb: { he: 'MiB של זיכרון', ar: 'MiB من الذاكرة', en: 'MiB of memory' },
  processes: { he: 'תהליכונים (threads)', ar: 'خيوط تنفيذ (threads)', en: 'threads' },
  disk_mb: { he: 'MiB של דיסק', ar: 'MiB من القرص', en: 'MiB of disk' },
};

function overBudget({
  resource,
  most,
  after,
  by,
}: {
  resource: string;
  most: number;
  after: number;
  by: string;
}): Words {
  const { he, ar, en } = RESOURCE_WORDS[resource] ?? { he: resource, ar: resource, en: resource };
  return {
    he: `המכסה לכל האפליקציות שלך יחד: ${most} ${he}. זה היה מעלה את השימוש ל־${after}.${by && ` בשימוש עכשיו: ${by}.`} אפשר לעצור או להקטין משהו, או לבקש מכסה גדולה יותר ממפעילי השרת.`,
    ar: `الحصة لكل تطبيقاتك معًا: ${most} ${ar}. هذا كان سيرفع الاستخدام إلى ${after}.${by && ` المستخدم الآن: ${by}.`} يمكن إيقاف شيء أو تصغيره، أو طلب حصة أكبر من مشغّلي الخادم.`,
    en: `All your applications together may use ${most} ${en}; this would make it ${after}.${by && ` In use now: ${by}.`} Stop or scale down something, or ask the operator for a larger budget.`,
  };
}

/** https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html#ar */

function arabicSeconds(count: number): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    one: 'ثانية واحدة',
    two: 'ثانيتين',
    few: `${count} ثوانٍ`,
  };
  return forms[ARABIC.select(count)] ?? `${count} ثانية`;
}

/** Output of a site as a sentence of its own. */
function siteOutput(said: string | undefined): Words {
  if (said === undefined) return { he: '', ar: '', en: '' };
  return { he: ` הפלט שלו: ”${said}“.`, ar: ` مخرجاته: ”${said}“.`, en: ` It said: “${said}”.` };
}

/** An optional sentence that follows another one. */
function followedBy(sentence: string | undefined): string {
  return sentence === undefined ? '' : ` ${sentence}`;
}

/** A sentence as a part of another one. */
function clause(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
