import type { Words } from '../../../../kernel/languages.ts';
import { arabicSeconds } from './parts.ts';

/** Reasons from the container engine, the cluster, base images, images by name and Dockerfiles. */
export const imageReasons = {
  machine_gone: ({ machine }: { machine: string }): Words => ({
    he: `אובדן הקשר עם המכונה (${machine})`,
    ar: `فقدان الاتصال بالجهاز (${machine})`,
    en: `lost its machine (${machine})`,
  }),
  image_away: ({ machine }: { machine: string }): Words => ({
    he: `המכונה ${machine} לא הצליחה למשוך את תמונת האתר ממאגר התמונות של האשכול`,
    ar: `لم يتمكّن الجهاز ${machine} من سحب صورة الموقع من سجل صور العنقود`,
    en: `could not be run: machine ${machine} failed to pull its image from the cluster’s registry`,
  }),
  registry_away: {
    he: 'מאגר התמונות של האשכול אינו זמין. פרסו שוב בעוד כמה דקות; אם זה נמשך, פנו למפעיל השרת.',
    ar: 'سجل صور العنقود غير متاح. انشر من جديد بعد بضع دقائق؛ وإن استمر ذلك فتواصل مع مشغّل الخادم.',
    en: 'The cluster’s image registry is unavailable. Deploy again in a few minutes; if this continues, contact the operator.',
  },
  no_machine: ({ error }: { error: string }): Words => ({
    he: `אין באשכול מכונה שיכולה להריץ את האתר: ${error}`,
    ar: `لا يوجد في العنقود جهاز يستطيع تشغيل الموقع: ${error}`,
    en: `No machine of the cluster can run the site: ${error}`,
  }),
  not_started: ({ seconds, tasks }: { seconds: number; tasks: string }): Words => ({
    he: `האתר לא התחיל לרוץ באשכול בתוך ${seconds} שניות (${tasks})`,
    ar: `لم يبدأ الموقع في العنقود خلال ${arabicSeconds(seconds)} (${tasks})`,
    en: `The site did not start in the cluster within ${seconds} s (${tasks})`,
  }),
  engine_away: ({ error }: { error: string }): Words => ({
    he: `מנוע הקונטיינרים אינו מגיב: ${error}. פרסו שוב כשיחזור לפעול.`,
    ar: `محرّك الحاويات لا يستجيب: ${error}. انشر من جديد حين يعود.`,
    en: `The container engine does not respond: ${error}. Deploy again once it is back.`,
  }),
  image_missing: ({ image }: { image: string }): Words => ({
    he: `תמונת הבסיס ${image} לא נמצאה: אין אותה במנוע, ובמאגר שלה היא אינה קיימת או שהיא פרטית.`,
    ar: `لم يُعثر على صورة الأساس ${image}: ليست لدى المحرّك، وهي غير موجودة في سجلها أو أنها خاصة.`,
    en: `The base image ${image} was not found: the engine does not have it, and in its registry it does not exist or is private.`,
  }),
  image_unreached: ({ image }: { image: string }): Words => ({
    he: `אי אפשר למשוך את תמונת הבסיס ${image}: אין אותה במנוע, והמאגר שלה אינו זמין כרגע. פרסו שוב מאוחר יותר.`,
    ar: `تعذّر سحب صورة الأساس ${image}: ليست لدى المحرّك، وسجلها غير متاح الآن. انشر من جديد لاحقًا.`,
    en: `The base image ${image} could not be pulled: the engine does not have it, and its registry is unavailable. Deploy again later.`,
  }),
  registry_refused: {
    he: 'את התמונה הזאת אי אפשר למשוך: מאגר התמונות שלה לא נמצא, או שהוא בכתובת פרטית.',
    ar: 'يتعذّر سحب هذه الصورة: لم يُعثر على سجلها، أو أنه على عنوان خاص.',
    en: 'This image can’t be pulled: its registry was not found, or has a private address.',
  },
  named_image_missing: ({ image }: { image: string }): Words => ({
    he: `התמונה ‎${image} לא נמצאה: היא אינה קיימת במאגר התמונות שלה, או שהיא פרטית. לתמונה פרטית קבעו registry_user ו־registry_password.`,
    ar: `لم يُعثر على الصورة ‎${image}: هي غير موجودة في سجلها أو أنها خاصة. لصورة خاصة عيّن registry_user وregistry_password.`,
    en: `The image ${image} was not found: it does not exist in its registry, or is private. For a private image, set registry_user and registry_password.`,
  }),
  named_image_denied: ({ image }: { image: string }): Words => ({
    he: `מאגר התמונות לא נתן את ‎${image}: שם המשתמש או הסיסמה (registry_user,‏ registry_password) שגויים, או שאין להם גישה אליה.`,
    ar: `لم يُعطِ السجل ‎${image}: اسم المستخدم أو كلمة المرور (registry_user وregistry_password) غير صحيح، أو لا صلاحية له عليها.`,
    en: `The registry did not give ${image}: the user name or password (registry_user, registry_password) is wrong, or may not read it.`,
  }),
  registry_limited: ({ registry }: { registry: string }): Words => ({
    he: `מאגר התמונות ‎${registry} קיבל יותר מדי בקשות. פרסו שוב מאוחר יותר, או קבעו registry_user ו־registry_password.`,
    ar: `تلقّى السجل ‎${registry} طلبات كثيرة جدًا. انشر من جديد لاحقًا، أو عيّن registry_user وregistry_password.`,
    en: `The registry ${registry} has had too many requests. Deploy again later, or set registry_user and registry_password.`,
  }),
  registry_unreached: ({ registry }: { registry: string }): Words => ({
    he: `מאגר התמונות ‎${registry} אינו זמין כרגע. פרסו שוב מאוחר יותר.`,
    ar: `السجل ‎${registry} غير متاح الآن. انشر من جديد لاحقًا.`,
    en: `The registry ${registry} is unavailable. Deploy again later.`,
  }),
  image_platform: ({ image, platform }: { image: string; platform: string }): Words => ({
    he: `לתמונה ‎${image} אין גרסה למעבד של השרת (‎${platform}). בנו אותה גם בשבילו.`,
    ar: `ليس للصورة ‎${image} نسخة لمعالج الخادم (‎${platform}). ابنها له أيضًا.`,
    en: `The image ${image} has no variant for this server’s processor (${platform}). Build it for that platform too.`,
  }),
  not_an_image: ({ image }: { image: string }): Words => ({
    he: `במאגר התמונות ‎${image} אינה תמונה שאפשר להריץ.`,
    ar: `ما في السجل باسم ‎${image} ليس صورة يمكن تشغيلها.`,
    en: `What the registry has as ${image} is no image that can be run.`,
  }),
  named_image_too_large: ({ image, mebibytes }: { image: string; mebibytes: number }): Words => ({
    he: `התמונה ‎${image} גדולה מ־${mebibytes} MiB.`,
    ar: `الصورة ‎${image} أكبر من ${mebibytes} MiB.`,
    en: `The image ${image} is larger than ${mebibytes} MiB.`,
  }),
  image_without_engine: {
    he: 'האפליקציה מריצה תמונת קונטיינר, אבל השרת הזה מריץ אתרים כתהליכים. מפעיל השרת יכול להריץ אתרים כקונטיינרים (APPS_RUNTIME).',
    ar: 'يشغّل التطبيق صورة حاوية، لكن هذا الخادم يشغّل المواقع كعمليات. يمكن لمشغّل الخادم تشغيلها كحاويات (APPS_RUNTIME).',
    en: 'The application runs a container image, but this server runs sites as processes. The operator can run sites as containers (APPS_RUNTIME).',
  },
  image_off: {
    he: 'מפעיל השרת אינו מאפשר להריץ תמונות לפי שם (APPS_NAMED_IMAGES).',
    ar: 'لا يسمح مشغّل الخادم بتشغيل الصور بالاسم (APPS_NAMED_IMAGES).',
    en: 'The operator does not allow sites that run an image by its name (APPS_NAMED_IMAGES).',
  },
  image_untrusted: {
    he: 'השרת הזה אינו מריץ תמונות לפי שם, כי כל אחד יכול להירשם אליו. מפעיל השרת יכול להגביל את ההרשמה (REGISTRATION), או לאפשר אותן בכל זאת (APPS_NAMED_IMAGES=on).',
    ar: 'لا يشغّل هذا الخادم الصور بالاسم لأن التسجيل فيه مفتوح للجميع. يمكن لمشغّل الخادم تقييد التسجيل (REGISTRATION)، أو السماح بها مع ذلك (APPS_NAMED_IMAGES=on).',
    en: 'This server runs no images by name, because anyone can register. The operator can limit registration (REGISTRATION), or allow them nevertheless (APPS_NAMED_IMAGES=on).',
  },
  image_node: ({ image, wanted, has }: { image: string; wanted: string; has: string }): Words => ({
    he: `נדרשת Node.js ${wanted}, אבל בתמונת הבסיס ${image} יש ${has}. דרשו גרסה אחרת ב־.node-version,‏ ב־.nvmrc או ב־engines, או הגדירו node.`,
    ar: `المطلوب Node.js ${wanted}، لكن في صورة الأساس ${image} الإصدار ${has}. اطلب إصدارًا آخر في ‎.node-version أو ‎.nvmrc أو engines، أو عيّن node.`,
    en: `Node.js ${wanted} is required, but the base image ${image} has ${has}. Require another version in .node-version, .nvmrc or engines, or set node.`,
  }),
  image_program: ({ name, image, setting }: { name: string; image: string; setting: string }): Words => ({
    he: `נדרש ${name}, אבל הוא חסר בתמונת הבסיס ${image}. מפעיל השרת יכול להגדיר תמונה אחרת (${setting}).`,
    ar: `يلزم ${name}، لكنه غير موجود في صورة الأساس ${image}. يمكن لمشغّل الخادم تعيين صورة أخرى (${setting}).`,
    en: `${name} is required, but the base image ${image} does not have it. The operator can set another image (${setting}).`,
  }),
  dockerfile_only: ({ file }: { file: string }): Words => ({
    he: `האתר נבנה מ־${file}, אבל השרת הזה אינו בונה מקובצי Dockerfile. לשם כך מפעיל השרת צריך להריץ אתרים כקונטיינרים ולאפשר זאת (APPS_DOCKERFILES).`,
    ar: `يُبنى الموقع من ${file}، لكن هذا الخادم لا يبني من ملفات Dockerfile. يلزم لذلك أن يشغّل مشغّل الخادم المواقع كحاويات وأن يسمح به (APPS_DOCKERFILES).`,
    en: `The site is built from its ${file}, but this server does not build Dockerfiles. For that, the operator has to run sites as containers and allow it (APPS_DOCKERFILES).`,
  }),
  dockerfile_unbuilt: ({ file, why }: { file: string; why: Words }): Words => ({
    he: `השרת הזה אינו בונה מ־${file}: לשם כך מפעיל השרת צריך להריץ אתרים כקונטיינרים ולאפשר זאת (APPS_DOCKERFILES). בלעדיו: ${why.he}`,
    ar: `هذا الخادم لا يبني من ${file}: يلزم لذلك أن يشغّل مشغّل الخادم المواقع كحاويات وأن يسمح به (APPS_DOCKERFILES). ومن دونه: ${why.ar}`,
    en: `This server does not build the ${file}: for that, the operator has to run sites as containers and allow it (APPS_DOCKERFILES). Without it: ${why.en}`,
  }),
  dockerfile_untrusted: ({ file }: { file: string }): Words => ({
    he: `האתר נבנה מ־${file}, אבל השרת הזה אינו בונה מקובצי Dockerfile, כי כל אחד יכול להירשם אליו. מפעיל השרת יכול להגביל את ההרשמה (REGISTRATION), או לאפשר Dockerfile בכל זאת (APPS_DOCKERFILES=on).`,
    ar: `يُبنى الموقع من ${file}، لكن هذا الخادم لا يبني من ملفات Dockerfile لأن التسجيل فيه مفتوح للجميع. يمكن لمشغّل الخادم تقييد التسجيل (REGISTRATION)، أو السماح بها مع ذلك (APPS_DOCKERFILES=on).`,
    en: `The site is built from its ${file}, but this server does not build Dockerfiles, because anyone can register. The operator can limit registration (REGISTRATION), or allow Dockerfiles nevertheless (APPS_DOCKERFILES=on).`,
  }),
  dockerfile_missing: ({ file }: { file: string }): Words => ({
    he: `הקובץ ${file}, שהתמונה אמורה להיבנות ממנו, לא נמצא.`,
    ar: `لم يُعثر على الملف ${file} الذي تُبنى منه الصورة.`,
    en: `The ${file} to build the image from was not found.`,
  }),
  dockerfile_target: ({ file, target }: { file: string; target: string }): Words => ({
    he: `אין ב־${file} שלב בשם "${target}".`,
    ar: `لا توجد في ${file} مرحلة باسم "${target}".`,
    en: `The ${file} has no stage "${target}".`,
  }),
  dockerfile_refused: ({ file, error }: { file: string; error: string }): Words => ({
    he: `הבנייה מ־${file} נכשלה: ${error}`,
    ar: `فشل البناء من ${file}: ${error}`,
    en: `The ${file} can’t be built: ${error}`,
  }),
  dockerignore_line: ({ line }: { line: string }): Words => ({
    he: `השורה "${line}" ב־.dockerignore אינה תקינה.`,
    ar: `السطر "${line}" في ‎.dockerignore غير صالح.`,
    en: `The line “${line}” of the .dockerignore is invalid.`,
  }),
  dockerignore_endless: ({ seconds }: { seconds: number }): Words => ({
    he: `בחירת הקבצים לבנייה לפי ה־.dockerignore נמשכה יותר מ־${seconds} שניות. פשטו אותו.`,
    ar: `استغرق اختيار ملفات البناء بحسب ‎.dockerignore أكثر من ${arabicSeconds(seconds)}. بسّطه.`,
    en: `Choosing the build’s files by its .dockerignore took longer than ${seconds} s. Simplify it.`,
  }),
  no_shell: ({ command }: { command: string }): Words => ({
    he: `אי אפשר להריץ את \`${command}\`: בתמונה אין ‎/bin/sh, ולכן אפשר להריץ רק את הפקודה שלה עצמה.`,
    ar: `يتعذّر تشغيل \`${command}\`: ليس في الصورة ‎/bin/sh، لذلك لا يمكن إلا تشغيل أمرها الخاص.`,
    en: `\`${command}\` can’t be run: the image has no /bin/sh, so only its own command can run.`,
  }),
  no_command_in_image: ({ image }: { image: string }): Words => ({
    he: `בתמונה ‎${image} לא מוגדרת פקודה להרצה. הגדירו start.`,
    ar: `لا تحدّد الصورة ‎${image} أمرًا للتشغيل. عيّن start.`,
    en: `The image ${image} defines no command to run. Set start.`,
  }),
  no_own_command: {
    he: 'בתמונה לא מוגדרת פקודה להרצה. הוסיפו CMD או ENTRYPOINT ל־Dockerfile, או הגדירו start.',
    ar: 'لا تحدّد الصورة أمرًا للتشغيل. أضف CMD أو ENTRYPOINT إلى Dockerfile، أو عيّن start.',
    en: 'The image defines no command to run. Add a CMD or ENTRYPOINT to the Dockerfile, or set start.',
  },
} as const;
