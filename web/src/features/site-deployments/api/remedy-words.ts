import type { Catalogue } from '../../../lib/words.ts';

/** Advice for deployments that failed. */
export const words = {
  memory: {
    he: 'הבנייה צריכה יותר זיכרון. אפשר להקטין אותה, למשל בלי מפות מקור (source maps), או לבקש ממפעיל השרת להגדיל את הזיכרון לבניות.',
    ar: 'يحتاج البناء إلى ذاكرة أكبر. خفّفوه، مثلًا دون source maps، أو اطلبوا من مشغّل الخادم زيادة ذاكرة البناء.',
    en: 'The build needs more memory. Make it lighter, for example without source maps, or ask the operator for more build memory.',
  },
  lockfile: {
    he: 'קובץ הנעילה אינו תואם לתלויות. מריצים אצלכם את פקודת ההתקנה, מוסיפים את קובץ הנעילה שהתעדכן לקומיט ודוחפים.',
    ar: 'ملف القفل لا يطابق الاعتماديات. شغّلوا التثبيت عندكم، وأضيفوا ملف القفل المحدَّث إلى commit، ثم ادفعوا.',
    en: 'The lockfile does not match the dependencies. Run the install command on your computer, commit the updated lockfile, and push.',
  },
  noVersion: {
    he: 'חבילה או גרסה שלה לא קיימת ברישום. בודקים את השם ואת הגרסה בקובץ התלויות.',
    ar: 'حزمة أو إصدار منها غير موجود في السجلّ. تحقّقوا من الاسم والإصدار في ملف الاعتماديات.',
    en: 'A package, or its version, is not in the registry. Check its name and version in the list of dependencies.',
  },
  nodeVersion: {
    he: 'נדרשת גרסה אחרת של השפה. קובעים אותה בקובץ ‎.node-version או בהגדרות האתר.',
    ar: 'يلزم إصدار آخر من اللغة. حدّدوه في الملف ‎.node-version أو في إعدادات الموقع.',
    en: 'Another version of the language is required. Set it in .node-version, or in the site’s settings.',
  },
  network: {
    he: 'שרת ברשת לא ענה בזמן הבנייה. לרוב ניסיון נוסף מספיק.',
    ar: 'لم يُجب خادم على الشبكة أثناء البناء. غالبًا تكفي محاولة أخرى.',
    en: 'A server on the network did not answer during the build. Another try is often enough.',
  },
  missingModule: {
    he: 'חסר קובץ או חסרה חבילה. בודקים את הנתיב, גם אותיות גדולות וקטנות, שהקובץ נמצא במאגר, ושהחבילה רשומה בתלויות.',
    ar: 'ملف أو حزمة ناقصة. تحقّقوا من المسار، بما فيه الأحرف الكبيرة والصغيرة، وأن الملف في المستودع، وأن الحزمة في الاعتماديات.',
    en: 'A file or a package is missing. Check the path including capital letters, that the file is committed, and that the package is in the dependencies.',
  },
  missingVariable: {
    he: 'כנראה חסר משתנה. מוסיפים אותו במשתנים של האתר ופורסים שוב.',
    ar: 'يبدو أن متغيرًا ناقص. أضيفوه في متغيرات الموقع وانشروا من جديد.',
    en: 'A variable seems to be missing. Add it to the site’s variables, and deploy again.',
  },
  service: {
    he: 'האתר לא הגיע לשירות שהוא צריך, כמו מסד נתונים. בודקים את הכתובת שלו במשתנים.',
    ar: 'لم يصل الموقع إلى خدمة يحتاجها، مثل قاعدة بيانات. تحقّقوا من عنوانها في المتغيرات.',
    en: 'The site could not reach a service that it needs, such as a database. Check its address in the variables.',
  },
  notFound: {
    he: 'הפקודה לא נמצאה. מוסיפים לתלויות את החבילה שלה, או משנים את הפקודה בהגדרות.',
    ar: 'الأمر غير موجود. أضيفوا حزمته إلى الاعتماديات، أو غيّروا الأمر في الإعدادات.',
    en: 'The command was not found. Add its package to the dependencies, or change the command in the settings.',
  },
  missingScript: {
    he: 'הסקריפט אינו ב־package.json. מוסיפים אותו, או משנים את הפקודה בהגדרות.',
    ar: 'السكربت غير موجود في package.json. أضيفوه، أو غيّروا الأمر في الإعدادات.',
    en: 'The script is not in package.json. Add it, or change the command in the settings.',
  },
  portTaken: {
    he: 'האתר מאזין לפורט קבוע. צריך להאזין לפורט שבמשתנה PORT.',
    ar: 'يستمع الموقع على منفذ ثابت. عليه الاستماع على المنفذ الذي في المتغيّر PORT.',
    en: 'The site listens on a fixed port. It should listen on the port in the variable PORT.',
  },
  types: {
    he: 'בדיקת הטיפוסים נכשלה. הריצו אותה אצלכם, תקנו ודחפו.',
    ar: 'فشل فحص الأنواع. شغّلوه عندكم وصحّحوا وادفعوا.',
    en: 'The type check failed. Run it on your computer, correct the errors, and push.',
  },
  lint: {
    he: 'בדיקת הסגנון נכשלה כחלק מהבנייה. תקנו, או הוציאו אותה מפקודת הבנייה.',
    ar: 'فشل فحص الأسلوب ضمن البناء. صحّحوا، أو أخرجوه من أمر البناء.',
    en: 'The linter failed as a part of the build. Correct its findings, or take it out of the build command.',
  },
  readOnly: {
    he: 'האתר כותב למקום שאסור לכתוב אליו. נתונים שנשמרים שייכים לכרך.',
    ar: 'يكتب الموقع في مكان لا تُسمح الكتابة فيه. البيانات الدائمة مكانها وحدة تخزين.',
    en: 'The site writes where it may not. Data that stays belongs in a volume.',
  },
  command: {
    he: 'השגיאה הראשונה ביומן אומרת מה קרה. מה שנכשל כאן נכשל בדרך כלל גם בשכפול נקי של המאגר אצלכם.',
    ar: 'يقول الخطأ الأول في السجلّ ما حدث. ما يفشل هنا يفشل عادةً أيضًا في نسخة جديدة من المستودع عندكم.',
    en: 'The first error in the log says what happened. What fails here usually fails in a fresh clone on your computer too.',
  },
  ended: {
    he: 'האתר נסגר לפני שענה. פקודת ההפעלה צריכה להישאר פועלת ולהאזין לפורט שבמשתנה PORT.',
    ar: 'أُغلق الموقع قبل أن يُجيب. على أمر التشغيل أن يبقى عاملًا وأن يستمع على المنفذ الذي في المتغيّر PORT.',
    en: 'The site ended before it answered. Its start command has to keep running, and to listen on the port in the variable PORT.',
  },
  unhealthy: {
    he: 'האתר פועל אבל לא ענה כראוי. בודקים מה הנתיב של בדיקת התקינות מחזיר, או קובעים נתיב אחר בהגדרות.',
    ar: 'يعمل الموقع لكنه لم يُجب كما يجب. تحقّقوا مما يعيده مسار فحص السلامة، أو حدّدوا مسارًا آخر في الإعدادات.',
    en: 'The site runs, but did not answer well. Check what the path of the health check returns, or set another path in the settings.',
  },
  notListening: {
    he: 'מאזינים לפורט שבמשתנה PORT ובכל הכתובות (0.0.0.0), או קובעים את הפורט בהגדרות.',
    ar: 'استمعوا على المنفذ الذي في المتغيّر PORT وعلى كل العناوين (0.0.0.0)، أو حدّدوا المنفذ في الإعدادات.',
    en: 'Listen on the port in the variable PORT, on all addresses (0.0.0.0), or set the port in the settings.',
  },
  noAccess: {
    he: 'למאגר פרטי נדרש מפתח פריסה: יוצרים אותו בהגדרות ומוסיפים אותו במאגר. בודקים גם את הכתובת.',
    ar: 'المستودع الخاص يحتاج إلى مفتاح نشر: أنشئوه في الإعدادات وأضيفوه في المستودع. تحقّقوا من العنوان أيضًا.',
    en: 'A private repository needs a deploy key: create it in the settings, and add it to the repository. Check the address too.',
  },
  hostKey: {
    he: 'אם ידוע לכם שהשרת של המאגר החליף מפתח, יוצרים מפתח פריסה חדש בהגדרות.',
    ar: 'إن كنتم تعلمون أن مضيف المستودع غيّر مفتاحه، فأنشئوا مفتاح نشر جديدًا في الإعدادات.',
    en: 'If you know that the repository’s host changed its key, create a new deploy key in the settings.',
  },
  address: {
    he: 'בודקים את כתובת המאגר בהגדרות.',
    ar: 'تحقّقوا من عنوان المستودع في الإعدادات.',
    en: 'Check the repository’s address in the settings.',
  },
  branch: {
    he: 'דוחפים את הענף, או בוחרים ענף קיים בהגדרות.',
    ar: 'ادفعوا الفرع، أو اختاروا فرعًا موجودًا في الإعدادات.',
    en: 'Push the branch, or choose an existing one in the settings.',
  },
  pushFirst: {
    he: 'דוחפים אותו למאגר, ופורסים שוב.',
    ar: 'ادفعوه إلى المستودع، ثم انشروا من جديد.',
    en: 'Push it to the repository, and deploy again.',
  },
  nothingFound: {
    he: 'אם הקוד בתיקייה פנימית, קובעים אותה בהגדרות. אחרת קובעים שם פקודת הפעלה או תיקיית פרסום.',
    ar: 'إن كان الكود في مجلد داخلي فحدّدوه في الإعدادات. وإلا فحدّدوا هناك أمر تشغيل أو مجلد نشر.',
    en: 'If the code is in a folder of the repository, set that folder in the settings. Otherwise set a start command or a publish folder there.',
  },
  folder: {
    he: 'קובעים בהגדרות את התיקייה במאגר שבה נמצא האתר.',
    ar: 'حدّدوا في الإعدادات مجلد الموقع داخل المستودع.',
    en: 'Set the folder of the repository that has the site, in the settings.',
  },
  publish: {
    he: 'קובעים בהגדרות את התיקייה שהבנייה כותבת אליה, ואת פקודת הבנייה.',
    ar: 'حدّدوا في الإعدادات المجلد الذي يكتب إليه البناء، وأمر البناء.',
    en: 'Set the folder into which the build writes, and the build command, in the settings.',
  },
  start: {
    he: 'קובעים פקודת הפעלה בהגדרות, או מוסיפים אותה לקוד.',
    ar: 'حدّدوا أمر التشغيل في الإعدادات، أو أضيفوه إلى الكود.',
    en: 'Set a start command in the settings, or add it to the code.',
  },
  volume: {
    he: 'משנים את הנתיב של הכרך.',
    ar: 'غيّروا مسار وحدة التخزين.',
    en: 'Change the path of the volume.',
  },
  budget: {
    he: 'עוצרים או מוחקים אתר או תצוגה מקדימה, או מבקשים ממפעיל השרת יותר.',
    ar: 'أوقفوا أو احذفوا موقعًا أو معاينة، أو اطلبوا المزيد من مشغّل الخادم.',
    en: 'Stop or delete a site or a preview, or ask the operator for more.',
  },
  operator: {
    he: 'זה עניין של השרת, לא של האתר. פנו למפעיל השרת.',
    ar: 'هذا شأن الخادم لا الموقع. راجعوا مشغّل الخادم.',
    en: 'This is about the server, not the site. Ask its operator.',
  },
  tryAgain: {
    he: 'זו לא תקלה באתר. פורסים שוב.',
    ar: 'ليس الخلل في الموقع. انشروا من جديد.',
    en: 'The site is not at fault. Deploy again.',
  },
  image: {
    he: 'בודקים בהגדרות את שם התמונה, את התגית ואת ההתחברות למאגר התמונות.',
    ar: 'تحقّقوا في الإعدادات من اسم الصورة والوسم وتسجيل الدخول إلى السجل.',
    en: 'Check the image’s name, its tag and the login at the registry in the settings.',
  },
  upload: {
    he: 'מעלים את התיקייה שוב.',
    ar: 'ارفعوا المجلد من جديد.',
    en: 'Upload the folder again.',
  },
  superseded: {
    he: 'פריסה חדשה יותר החליפה אותה; אין מה לתקן.',
    ar: 'حلّ محلّه نشر أحدث؛ لا شيء للإصلاح.',
    en: 'A newer deployment replaced it; there is nothing to mend.',
  },
} as const satisfies Catalogue;
