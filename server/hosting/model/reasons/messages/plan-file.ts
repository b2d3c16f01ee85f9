import type { Words } from '../../../../kernel/languages.ts';

/** Errors in a Procfile or in simcha.json. The accepts_… codes say which values a field accepts. */
export const planFileReasons = {
  procfile_line: ({ line, text }: { line: number; text: string }): Words => ({
    he: `שורה ${line} ב־Procfile אינה תקינה: "${text}". הצורה הנדרשת: \u2066<שם>: <פקודה>\u2069, למשל \u2066web: node server.js\u2069.`,
    ar: `السطر ${line} في Procfile غير صالح: "${text}". الصيغة المطلوبة: \u2066<الاسم>: <الأمر>\u2069، مثل \u2066web: node server.js\u2069.`,
    en: `Line ${line} of the Procfile is invalid: “${text}”. Write <name>: <command>, for example web: node server.js.`,
  }),
  process_name: ({ name }: { name: string }): Words => ({
    he: `שם התהליך "${name}" ב־Procfile אינו תקין: עד 31 אותיות לטיניות קטנות, ספרות ומקפים, והתו הראשון אות.`,
    ar: `اسم العملية "${name}" في Procfile غير صالح: حتى 31 من الأحرف اللاتينية الصغيرة والأرقام والشرطات، وأولها حرف.`,
    en: `The process name "${name}" in the Procfile is invalid: use up to 31 lower-case Latin letters, digits and hyphens, starting with a letter.`,
  }),
  too_many_kinds: ({ most }: { most: number }): Words => ({
    he: `הוגדרו יותר מ־${most} תהליכים בשמות שונים.`,
    ar: `عُرّفت أكثر من ${most} عملية بأسماء مختلفة.`,
    en: `More than ${most} processes of different names are defined.`,
  }),
  plan_file_broken: ({ error }: { error: string }): Words => ({
    he: `אי אפשר לקרוא את simcha.json: ${error}.`,
    ar: `تتعذّر قراءة simcha.json: ${error}.`,
    en: `simcha.json can’t be read: ${error}.`,
  }),
  plan_file_unknown: ({ field, known }: { field: string; known: string }): Words => ({
    he: `ב־simcha.json יש שדה לא מוכר, "${field}". השדות המוכרים: ${known}.`,
    ar: `في simcha.json حقل غير معروف، "${field}". الحقول المعروفة: ${known}.`,
    en: `simcha.json has an unknown field, "${field}". Known fields: ${known}.`,
  }),
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
    he: 'נדרש שם של תהליך: עד 31 אותיות לטיניות קטנות, ספרות ומקפים, והתו הראשון אות',
    ar: 'يلزم اسم عملية: حتى 31 من الأحرف اللاتينية الصغيرة والأرقام والشرطات، وأولها حرف',
    en: 'must be the name of a process: up to 31 lower-case Latin letters, digits and hyphens, starting with a letter',
  },
  accepts_schedule: {
    he: 'נדרש לוח זמנים של cron בחמישה שדות, למשל "30 4 * * *", או שם כמו @daily, שחל לפחות במועד אחד',
    ar: 'يلزم جدول cron من خمسة حقول، مثل "30 4 * * *"، أو اسم مثل @daily، يوافق وقتًا واحدًا على الأقل',
    en: 'must be a cron schedule of five fields, such as "30 4 * * *", or a name such as @daily, and must match at least one date',
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
    en: 'must be a path that starts with one /, such as /healthz, in ASCII and without spaces',
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
    he: `נדרש אובייקט של עד ${most} מחרוזות לפי שם, למשל {"VERSION": "22"}`,
    ar: `يلزم كائن من ${most} سلسلة نصية على الأكثر بأسمائها، مثل {"VERSION": "22"}`,
    en: `must be an object of up to ${most} strings by name, such as {"VERSION": "22"}`,
  }),
  accepts_own_name: {
    he: 'לכל משימה נדרש שם ייחודי',
    ar: 'يلزم اسم فريد لكل مهمة',
    en: 'each job must have a unique name',
  },
  accepts_start_once: {
    he: 'אפשר להגדיר start או processes.web, לא את שניהם',
    ar: 'يمكن تعيين start أو processes.web، لا كليهما',
    en: 'set either start or processes.web, not both',
  },
  accepts_node: {
    he: 'נדרשת גרסה של Node.js, כמו "22", ‎">=20 <23" או "lts/jod"',
    ar: 'يلزم إصدار من Node.js، مثل "22" أو ‎">=20 <23" أو "lts/jod"',
    en: 'must be a version of Node.js, such as "22", ">=20 <23" or "lts/jod"',
  },
} as const;
