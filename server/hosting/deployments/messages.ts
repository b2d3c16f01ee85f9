import type { Words } from '../../kernel/languages.ts';

/** Texts of deployments in answers and, in English, in logs. */
export const messages = {
  notVerified: {
    he: 'קודם יש לאמת את כתובת המייל; אחר כך אפשר לפרוס.',
    ar: 'أكّد عنوان بريدك أولًا؛ ثم يمكنك النشر.',
    en: 'Verify your email address first; then you can deploy.',
  },
  noSuchDeployment: {
    he: 'לאפליקציה אין פריסה כזאת.',
    ar: 'لا يوجد للتطبيق نشر كهذا.',
    en: 'There is no such deployment of this application.',
  },
  noRelease: {
    he: 'לאפליקציה עוד אין גרסה; יש לפרוס אותה קודם.',
    ar: 'ليس للتطبيق إصدار بعد؛ انشره أولًا.',
    en: 'This application has no release yet; deploy it first.',
  },
  noReleaseYet: {
    he: 'לאפליקציה עוד אין גרסה: הפריסה הראשונה שלה בעיצומה. מה ששיניתם מאז שהתחילה ייכנס לתוקף בהפעלה מחדש, אחרי שתעלה.',
    ar: 'ليس للتطبيق إصدار بعد: نشره الأول جارٍ. ما غيّرتموه منذ بدئه يسري بإعادة التشغيل بعد أن يصبح الموقع حيًّا.',
    en: 'This application has no release yet: its first deployment is under way. Restart it once it is live, for what you changed since it began.',
  },
  cantRollBack: {
    he: 'הפריסה הזאת לא עלתה לאוויר, או שהגרסה שלה כבר אינה שמורה; אפשר לחזור לאחרת.',
    ar: 'لم يصبح هذا النشر حيًّا قط، أو لم يعد إصداره محفوظًا؛ ارجع إلى غيره.',
    en: 'This deployment never went live, or its release is not kept any more; roll back to another one.',
  },
  noReleaseBefore: {
    he: 'לפני הגרסה הנוכחית לא עלתה לאוויר גרסה אחרת, ולכן אין לאן לחזור.',
    ar: 'لم يكن قبل الإصدار الحالي إصدار آخر حيّ، فلا يوجد ما يُرجع إليه.',
    en: 'No other release was live before this one; there is nothing to roll back to.',
  },
  releaseBeforeGone: {
    he: 'הגרסה שהייתה באוויר לפני הנוכחית כבר אינה שמורה; אפשר לפרוס אותה מחדש.',
    ar: 'الإصدار الذي كان حيًّا قبل الحالي لم يعد محفوظًا؛ انشره من جديد.',
    en: 'The release that was live before this one is not kept any more; deploy it again.',
  },
  alreadyRunning: { he: 'האתר כבר פועל.', ar: 'الموقع يعمل أصلًا.', en: 'The site is running already.' },
  notRunning: { he: 'האתר אינו פועל.', ar: 'الموقع لا يعمل.', en: 'The site is not running.' },
  stopped: {
    he: 'האתר נעצר: אפשר להפעיל אותו (POST …/start) או לפרוס.',
    ar: 'الموقع متوقّف: شغّله (POST …/start) أو انشر.',
    en: 'The site is stopped: start it (POST …/start), or deploy.',
  },
  finished: (status: string): Words => ({
    he: `הפריסה הזאת כבר הסתיימה (${status}).`,
    ar: `انتهى هذا النشر من قبل (${status}).`,
    en: `This deployment is ${status} already.`,
  }),
  deploymentUuid: {
    he: 'נדרש UUID של פריסה של האפליקציה.',
    ar: 'يلزم UUID لنشر من هذا التطبيق.',
    en: 'must be the UUID of a deployment of this application.',
  },
  lines: {
    he: 'נדרש מספר שלם מ־1 עד 10,000.',
    ar: 'يلزم عدد صحيح من 1 إلى 10,000.',
    en: 'must be a whole number from 1 to 10,000.',
  },

  log: {
    cut: 'There is more output than is kept; the rest of it is left out.',
    stepBegins: '…',
    stepDone: (seconds: string): string => `done in ${seconds} s`,
    stepEnded: (seconds: string): string => `ended after ${seconds} s`,
    stepFailed: (seconds: string): string => `failed after ${seconds} s`,
    defaultNode:
      'No version of Node.js is asked for, so this ran by the newest LTS. Older packages may need an earlier one: set node, for example to 22.',
    waitsForPlace: 'waiting for a free place to build',
    hasPlace: (seconds: string): string => `has a place to build after ${seconds} s`,
    resumed: 'The server was restarted in between; beginning again.',
    branch: (branch: string | null, repository: string): string =>
      `${branch === null ? 'the default branch' : `branch ${branch}`} of ${repository}`,
    commit: (hash: string, message: string): string => `commit ${hash.slice(0, 12)} ${message}`,
    stopFirst: (volumes: readonly string[]): string =>
      `the version before ends first, for both would write to the same volumes (${volumes.join(', ')}); requests wait`,
    unchanged: 'Nothing has changed since this release was built: no build is needed.',
    builtAlready: 'What is built has not changed, only how it is run: no build is needed.',
    madeAgain: (hash: string): string =>
      `the release of commit ${hash.slice(0, 12)} is not on this machine; making it again`,
    release: (hash: string, message: string): string => `release of commit ${hash.slice(0, 12)} ${message}`,
    awaited: (path: string, port: number | undefined, seconds: number): string =>
      `waiting ${seconds} s at most for an answer at ${path}${port === undefined ? '' : ` on port ${port} (the variable PORT)`}`,
    pinned: (machine: string): string =>
      `its volumes are on the machine ${machine}, and all that has them runs there alone`,
    healthy: (path: string): string => `answers at ${path}`,
    listensElsewhere: (port: number): string =>
      `it listens on port ${port}, whatever the variable PORT says; starting it again with that port`,
    live: (url: string): string => `live at ${url}`,
    failed: (reason: string): string => `failed: ${reason}`,
    keptServing: 'The version before goes on serving.',
    siteReplaced: (hash: string): string =>
      `the version of commit ${hash.slice(0, 12)} serves from now on; this one ends`,
    brought: (path: string, runtime: string): string =>
      `what the site keeps at ${path} was brought from where it ran before (${runtime})`,
    siteEnds: 'the site is stopped',
    withoutRelease: 'the site is stopped: its release is not kept any more; deploy it anew',
    siteLeaves: 'this server ends the site, which comes back with the server, or with the next one',
    siteRestarts: (how: string, seconds: number): string => `${how}; starting it again in ${seconds} s`,
    siteStays: (how: string): string => `${how}; it stays down for as long as that is so`,
    engineAway: 'did not come back: the container engine does not answer',
    replicaFell: (how: string): string => `${how}; it is started again`,
    replicaSilent: (why: string): string => `gets no requests for now: ${why}`,
    processEnds: 'fewer of these are wanted: this one ends',
  },
} as const;
