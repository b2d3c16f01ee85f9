import type { Words } from '../../../../kernel/languages.ts';
import { arabicSeconds, followedBy } from './parts.ts';

/** Folders that were searched for a site, and a hint about what was found instead. */
interface Searched {
  folders: string;
  hint?: Words;
}

/** Reasons why nothing to build or start was found in a source. */
export const sourceReasons = {
  nothing_found: ({ folders, hint }: Searched): Words => ({
    he: `אין כאן מה לבנות או להפעיל. חיפשנו: פקודת הפעלה של האפליקציה, Procfile עם שורת "web:", package.json עם סקריפט "start" או "build", server.js, requirements.txt, pyproject.toml,‏ composer.json,‏ index.php,‏ Gemfile,‏ go.mod,‏ Cargo.toml,‏ deno.json או hugo.toml, או index.html כאן או ב־${folders}.${followedBy(hint?.he)}`,
    ar: `لا يوجد هنا ما يُبنى أو يُشغَّل. بحثنا عن: أمر تشغيل للتطبيق، أو Procfile فيه سطر "web:"، أو package.json فيه سكربت "start" أو "build"، أو server.js، أو requirements.txt أو pyproject.toml أو composer.json أو index.php أو Gemfile أو go.mod أو Cargo.toml أو deno.json أو hugo.toml، أو index.html هنا أو في ${folders}.${followedBy(hint?.ar)}`,
    en: `There is nothing here to build or start. Looked for: a start command of the application, a Procfile with a "web:" line, a package.json with a "start" or "build" script, a server.js, a requirements.txt, pyproject.toml, composer.json, index.php, Gemfile, go.mod, Cargo.toml, deno.json or hugo.toml, an index.html here or in ${folders}.${followedBy(hint?.en)}`,
  }),
  nothing_found_in_package: ({ folders, hint }: Searched): Words => ({
    he: `אין כאן מה לבנות או להפעיל. חיפשנו: פקודת הפעלה של האפליקציה, Procfile עם שורת "web:", package.json עם סקריפט "start" או "build" (אין בו אף אחד מהם) או עם server.js לידו, requirements.txt, pyproject.toml,‏ composer.json,‏ index.php,‏ Gemfile,‏ go.mod,‏ Cargo.toml,‏ deno.json או hugo.toml, או index.html כאן או ב־${folders}.${followedBy(hint?.he)}`,
    ar: `لا يوجد هنا ما يُبنى أو يُشغَّل. بحثنا عن: أمر تشغيل للتطبيق، أو Procfile فيه سطر "web:"، أو package.json فيه سكربت "start" أو "build" (ليس فيه أيٌّ منهما) أو بجانبه server.js، أو requirements.txt أو pyproject.toml أو composer.json أو index.php أو Gemfile أو go.mod أو Cargo.toml أو deno.json أو hugo.toml، أو index.html هنا أو في ${folders}.${followedBy(hint?.ar)}`,
    en: `There is nothing here to build or start. Looked for: a start command of the application, a Procfile with a "web:" line, a package.json with a "start" or "build" script (it has neither) or a server.js beside it, a requirements.txt, pyproject.toml, composer.json, index.php, Gemfile, go.mod, Cargo.toml, deno.json or hugo.toml, an index.html here or in ${folders}.${followedBy(hint?.en)}`,
  }),
  compose_beside: ({ file, folders }: { file: string; folders: string }): Words => ({
    he: `יש כאן ${file}, אבל קובצי Compose אינם נתמכים. צרו אפליקציה לכל שירות${folders && ` (root: ${folders})`}, והגדירו במשתנים שלה את הכתובת של מסד הנתונים ושל שירותים אחרים.`,
    ar: `يوجد هنا ${file}، لكن ملفات Compose غير مدعومة. أنشئ تطبيقًا لكل خدمة${folders && ` (root: ${folders})`}، وعيّن في متغيراته عناوين قاعدة البيانات والخدمات الأخرى.`,
    en: `There is a ${file}, but Compose files are not supported. Create an application for each service${folders && ` (root: ${folders})`}, and set the addresses of its database and other services in its variables.`,
  }),
  applications_below: ({ folders, first }: { folders: string; first: string }): Words => ({
    he: `נמצאה אפליקציה ב־${folders}: הגדירו root, למשל "${first}".`,
    ar: `عُثر على تطبيق في ${folders}: عيّن root، مثل "${first}".`,
    en: `An application was found in ${folders}: set root, for example to "${first}".`,
  }),
  other_language: ({ file, language }: { file: string; language: string }): Words => ({
    he: `יש כאן ${file}, אבל ${language} אינה מזוהה אוטומטית. הגדירו build ו־start, או הוסיפו Dockerfile.`,
    ar: `يوجد هنا ${file}، لكن ${language} لا يُكتشف تلقائيًا. عيّن build وstart، أو أضف Dockerfile.`,
    en: `There is a ${file}, but ${language} is not detected automatically. Set build and start, or add a Dockerfile.`,
  }),
  other_platform: ({ file }: { file: string }): Words => ({
    he: `הקובץ ${file} מיועד לפלטפורמה אחרת, ואינו נקרא כאן. הגדירו build, ו־start או publish.`,
    ar: `الملف ${file} مخصص لمنصة أخرى ولا يُقرأ هنا. عيّن build، وstart أو publish.`,
    en: `${file} is for another platform and is not read here. Set build, and start or publish.`,
  }),
  unbuilt_page: ({ page, mark, folder }: { page: string; mark: string; folder: string }): Words => ({
    he: `${page} הוא תבנית שהאתר נבנה ממנה (יש בו ${mark}), אבל לא נמצאה פקודת בנייה. הגדירו build ו־publish, למשל build: "npm run build" ו־publish: "dist". כדי לפרסם את הדף כמו שהוא, הגדירו publish: "${folder}".`,
    ar: `الملف ${page} قالب يُبنى منه الموقع (فيه ${mark})، لكن لم يُعثر على أمر بناء. عيّن build وpublish، مثل build: "npm run build" وpublish: "dist". لنشر الصفحة كما هي عيّن publish: "${folder}".`,
    en: `${page} is a template that the site is built from (it contains ${mark}), but no build command was found. Set build and publish, for example build: "npm run build" and publish: "dist". To publish the page as it is, set publish: "${folder}".`,
  }),
  broken_manifest: ({ error }: { error: string }): Words => ({
    he: `אי אפשר לקרוא את package.json: ${error}.`,
    ar: `تتعذّر قراءة package.json: ${error}.`,
    en: `package.json can’t be read: ${error}.`,
  }),
  unreadable: ({ seconds }: { seconds: number }): Words => ({
    he: `קריאת הקבצים שקובעים איך האתר נבנה נמשכה יותר מ־${seconds} שניות או דרשה יותר מדי זיכרון. חפשו תוכן אינסופי או גדול מאוד ב־package.json, ב־simcha.json ובקבצים של השפה.`,
    ar: `استغرقت قراءة الملفات التي تحدّد كيف يُبنى الموقع أكثر من ${arabicSeconds(seconds)} أو احتاجت إلى ذاكرة أكثر من اللازم. ابحث في package.json وsimcha.json وملفات اللغة عن محتوى لا ينتهي أو كبير جدًا.`,
    en: `Reading the files that decide how the site is built took longer than ${seconds} s, or too much memory. Look for endless or very large content in package.json, simcha.json and the files of its language.`,
  }),
  manifest_no_object: {
    he: 'אי אפשר לקרוא את package.json: צריך להיות בו אובייקט JSON.',
    ar: 'تتعذّر قراءة package.json: يجب أن يكون كائن JSON.',
    en: 'package.json can’t be read: it must be a JSON object.',
  },
  no_start: {
    he: 'האפליקציה מוגדרת כשרת, אבל לא נמצאה פקודת הפעלה. הגדירו start, באפליקציה או ב־simcha.json.',
    ar: 'التطبيق معرَّف كخادم، لكن لم يُعثر على أمر تشغيل. عيّن start في التطبيق أو في simcha.json.',
    en: 'The application is set to be a server, but no start command was found. Set start, in the application or in simcha.json.',
  },
  only_development: ({ script, tool }: { script: string; tool: string }): Words => ({
    he: `הסקריפט start (${script}) מפעיל רק שרת פיתוח (${tool}), ולא נמצא דבר אחר לבנות או להפעיל. הגדירו start, או publish לתיקייה של אתר סטטי.`,
    ar: `السكربت start (${script}) يشغّل خادم تطوير فقط (${tool})، ولم يُعثر على شيء آخر يُبنى أو يُشغَّل. عيّن start، أو publish لمجلد موقع ثابت.`,
    en: `The start script (${script}) only runs a development server (${tool}), and nothing else was found to build or start. Set start, or publish to the folder of a static site.`,
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
    he: `זו אפליקציית ${language} (${file}), אבל לא נמצאה פקודת הפעלה. הגדירו start, או הוסיפו Procfile עם שורת "web:", למשל \`${example}\`.`,
    ar: `هذا تطبيق ${language} (${file})، لكن لم يُعثر على أمر تشغيل. عيّن start، أو أضف Procfile فيه سطر "web:"، مثل \`${example}\`.`,
    en: `This is a ${language} application (${file}), but no start command was found. Set start, or add a Procfile with a "web:" line, such as \`${example}\`.`,
  }),
  several_programs: ({
    language,
    programs,
    start,
  }: {
    language: string;
    programs: string;
    start: string;
  }): Words => ({
    he: `באפליקציית ה־${language} הזו יש כמה תוכניות (${programs}), ולא ברור איזו מהן מגישה את האתר. הגדירו start, למשל \`${start}\`.`,
    ar: `في تطبيق ${language} هذا عدة برامج (${programs})، وليس واضحًا أيها يقدّم الموقع. عيّن start، مثل \`${start}\`.`,
    en: `This ${language} application has several programs (${programs}), and it is not clear which one serves the site. Set start, such as \`${start}\`.`,
  }),
  needs_server: ({ framework, needs, file }: { framework: string; needs: string; file: string }): Words => ({
    he: `זו אפליקציית ${framework}, אבל ב־${file} אין שרת HTTP שיגיש אותה. הוסיפו ${needs}, או הגדירו start.`,
    ar: `هذا تطبيق ${framework}، لكن ليس في ${file} خادم HTTP يقدّمه. أضف ${needs}، أو عيّن start.`,
    en: `This is a ${framework} application, but ${file} has no HTTP server to serve it. Add ${needs}, or set start.`,
  }),
  needs_adapter: ({ framework, packages }: { framework: string; packages: string }): Words => ({
    he: `בהגדרות הנוכחיות ${framework} לא בונה דבר שאפשר להריץ כאן. הוסיפו אחת מהחבילות ${packages}, או הגדירו start או publish.`,
    ar: `بالإعدادات الحالية لا يبني ${framework} شيئًا يمكن تشغيله هنا. أضف إحدى الحزم ${packages}، أو عيّن start أو publish.`,
    en: `As configured, ${framework} builds nothing that can run here. Add one of ${packages}, or set start or publish.`,
  }),
  unusable_command: ({ command, most }: { command: string; most: number }): Words => ({
    he: `אי אפשר להריץ את הפקודה "${command}": מותרים עד ${most} תווים, בלי תו NUL.`,
    ar: `يتعذّر تشغيل الأمر "${command}": يُسمح بما لا يزيد على ${most} حرف، من دون الحرف NUL.`,
    en: `The command "${command}" can’t be run: a command may have up to ${most} characters and no NUL.`,
  }),
  no_root: ({ root }: { root: string }): Words => ({
    he: `במאגר אין תיקייה "${root}". תקנו את root.`,
    ar: `لا يوجد في المستودع مجلد "${root}". صحّح root.`,
    en: `The repository has no folder "${root}". Correct root.`,
  }),
} as const;
