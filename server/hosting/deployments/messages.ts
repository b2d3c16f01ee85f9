import type { Words } from '../../kernel/languages.ts';
import { messages as applicationMessages } from '../applications/messages.ts';
import { mebibytes } from '../logs/mebibytes.ts';
import type { SourceRef } from '../model/source-ref.ts';
import type { Upload } from '../model/upload.ts';
import { type Version, type VersionKind, versionKind } from '../model/version.ts';

const versionOf = (version: Version) => `${versionKind(version)} ${version.commit_hash.slice(0, 12)}`;

/** Preview, other application, or preview of another application whose release is promoted. */
interface PromotionSource {
  promoted_from: string | null;
  promoted_from_application: string | null;
}

function sourceOf({ promoted_from: preview, promoted_from_application: name }: PromotionSource): string {
  if (preview === null) return `the application ${name}`;
  return `the preview ${preview}${name === null ? '' : ` of the application ${name}`}`;
}

/** Texts of deployments in answers and, in English, in logs. */
export const messages = {
  notVerified: applicationMessages.notVerified,
  noSuchDeployment: {
    he: 'לאפליקציה אין פריסה כזאת.',
    ar: 'لا يوجد للتطبيق نشر كهذا.',
    en: 'This application has no such deployment.',
  },
  notUploaded: {
    he: 'עוד לא הועלתה תיקייה לאפליקציה הזאת. העלו אותה.',
    ar: 'لم يُرفع مجلد لهذا التطبيق بعد. ارفعه.',
    en: 'No folder has been uploaded for this application yet. Upload one.',
  },
  uploadedRef: {
    he: 'לאפליקציה הזאת אין מאגר: נפרסת התיקייה האחרונה שהועלתה.',
    ar: 'لا مستودع لهذا التطبيق: يُنشر آخر مجلد مرفوع.',
    en: 'can’t be named: this application has no repository, and its newest uploaded folder is deployed.',
  },
  noRelease: {
    he: 'לאפליקציה עוד אין גרסה; יש לפרוס אותה קודם.',
    ar: 'ليس للتطبيق إصدار بعد؛ انشره أولًا.',
    en: 'This application has no release yet; deploy it first.',
  },
  noReleaseYet: {
    he: 'לאפליקציה עוד אין גרסה: הפריסה הראשונה שלה בעיצומה. מה ששיניתם מאז שהתחילה ייכנס לתוקף בהפעלה מחדש, אחרי שתעלה.',
    ar: 'ليس للتطبيق إصدار بعد: نشره الأول جارٍ. ما تغيّر منذ بدئه يسري بإعادة التشغيل بعد أن يصبح الموقع حيًّا.',
    en: 'This application has no release yet: its first deployment is in progress. Restart it once it is live, so that later changes take effect.',
  },
  cantRollBack: {
    he: 'הפריסה הזאת לא עלתה לאוויר, או שהגרסה שלה כבר אינה שמורה; אפשר לחזור לאחרת.',
    ar: 'لم يصبح هذا النشر حيًّا قط، أو لم يعد إصداره محفوظًا؛ ارجع إلى غيره.',
    en: 'This deployment never went live, or its release was removed; roll back to another one.',
  },
  noReleaseBefore: {
    he: 'לפני הגרסה הנוכחית לא עלתה לאוויר גרסה אחרת, ולכן אין לאן לחזור.',
    ar: 'لم يكن قبل الإصدار الحالي إصدار آخر حيّ، فلا يوجد ما يُرجع إليه.',
    en: 'No other release was live before this one; there is nothing to roll back to.',
  },
  releaseBeforeGone: {
    he: 'הגרסה שהייתה באוויר לפני הנוכחית כבר אינה שמורה; אפשר לפרוס אותה מחדש.',
    ar: 'الإصدار الذي كان حيًّا قبل الحالي لم يعد محفوظًا؛ انشره من جديد.',
    en: 'The release that was live before this one was removed; deploy it again.',
  },
  cantPromote: {
    he: 'לתצוגה המקדימה אין גרסה שעלתה לאוויר ועדיין שמורה; יש לפרוס אותה קודם.',
    ar: 'ليس للمعاينة إصدار أصبح حيًّا وما زال محفوظًا؛ انشرها أولًا.',
    en: 'The preview has no release that was live and is still stored; deploy it first.',
  },
  sourceNotLive: {
    he: 'לאפליקציה שצוינה אין גרסה שעלתה לאוויר ועדיין שמורה; יש לפרוס אותה קודם.',
    ar: 'ليس للتطبيق المذكور إصدار أصبح حيًّا وما زال محفوظًا؛ انشره أولًا.',
    en: 'The named application has no release that was live and is still stored; deploy it first.',
  },
  ofProduction: {
    he: 'זו פריסה של האתר עצמו; לחזור אליה אפשר ב־rollback.',
    ar: 'هذا نشر للموقع نفسه؛ يُرجع إليه بـrollback.',
    en: 'is of production itself; roll back to it instead.',
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
    en: `This deployment has already ended (${status}).`,
  }),
  deploymentUuid: {
    he: 'נדרש UUID של פריסה של האפליקציה.',
    ar: 'يلزم UUID لنشر من هذا التطبيق.',
    en: 'must be the UUID of a deployment of this application.',
  },
  commit: {
    he: 'נדרש מזהה של קומיט: כולו, או לפחות 7 הספרות הראשונות שלו (0–9, a–f).',
    ar: 'يلزم معرّف commit: كاملًا، أو أول 7 أرقام منه على الأقل (0–9، a–f).',
    en: 'must be the hash of a commit: all of it, or at least its first 7 digits (0–9, a–f).',
  },
  tag: {
    he: 'נדרש שם של תגית git.',
    ar: 'يلزم اسم وسم git.',
    en: 'must be the name of a git tag.',
  },
  oneRef: {
    he: 'אפשר לציין רק אחד מאלה: commit,‏ branch או tag.',
    ar: 'يمكن ذكر واحد فقط من: commit أو branch أو tag.',
    en: 'can’t be given too: name only one of commit, branch and tag.',
  },
  wait: {
    he: 'נדרש מספר שלם של שניות, מ־1 עד 60.',
    ar: 'يلزم عدد صحيح من الثواني، من 1 إلى 60.',
    en: 'must be a whole number of seconds from 1 to 60.',
  },
  since: {
    he: 'נדרש זמן קיים לפי RFC 3339, עם היסט מ־UTC, כמו 2027-06-15T19:30:00Z.',
    ar: 'يلزم وقت موجود وفق RFC 3339 مع فارق عن UTC، مثل 2027-06-15T19:30:00Z.',
    en: 'must be a time that exists, as in RFC 3339, with an offset from UTC, such as 2027-06-15T19:30:00Z.',
  },
  lines: {
    he: 'נדרש מספר שלם מ־1 עד 10,000.',
    ar: 'يلزم عدد صحيح من 1 إلى 10,000.',
    en: 'must be a whole number from 1 to 10,000.',
  },

  log: {
    cut: 'The log is full; the rest of the output is left out.',
    stepBegins: '…',
    stepDone: (seconds: string): string => `done in ${seconds} s`,
    stepEnded: (seconds: string): string => `ended after ${seconds} s`,
    stepFailed: (seconds: string): string => `failed after ${seconds} s`,
    defaultNode:
      'No version of Node.js is set, so this ran with the newest LTS. Older packages may need an earlier version: set node, for example to 22.',
    waitsForPlace: 'waiting for a free build slot',
    hasPlace: (seconds: string): string => `got a build slot after ${seconds} s`,
    resumed: 'The server was restarted meanwhile; starting over.',
    branch: (branch: string | null, repository: string): string =>
      `${branch === null ? 'the default branch' : `branch ${branch}`} of ${repository}`,
    upload: ({ uploaded_at, files, sha256 }: Upload): string =>
      `folder uploaded at ${uploaded_at}, ${files} ${files === 1 ? 'file' : 'files'}, sha256 ${sha256}`,
    image: ({ name }: { name: string }): string => `image ${name}`,
    imageDigest: ({ digest, bytes, layers }: { digest: string; bytes: number; layers: number }): string =>
      `${digest}, ${mebibytes(bytes)} MiB in ${layers} ${layers === 1 ? 'layer' : 'layers'} as the registry stores them`,
    ref: ({ type, name }: SourceRef, repository: string): string => `${type} ${name} of ${repository}`,
    commit: (hash: string, message: string): string => `commit ${hash.slice(0, 12)} ${message}`,
    stopFirst: (volumes: readonly string[]): string =>
      `stopping the previous version first, because both would write to the same volumes (${volumes.join(', ')}); requests wait`,
    unchanged: 'Nothing has changed since this release was built: no build is needed.',
    builtAlready:
      'Only settings for running the site have changed since this release was built: no build is needed.',
    madeAgain: (release: Version): string =>
      `the release of ${versionOf(release)} is not on this machine; building it again`,
    release: (release: Version & { commit_message: string }): string =>
      `release of ${versionOf(release)} ${release.commit_message}`.trimEnd(),
    awaited: (path: string, port: number | undefined, seconds: number): string =>
      `waiting up to ${seconds} s for an answer at ${path}${port === undefined ? '' : ` on port ${port} (the variable PORT)`}`,
    pinned: (machine: string): string =>
      `its volumes are on machine ${machine}, so its processes with volumes run only there`,
    promoted: (source: PromotionSource, wasBuilt: boolean): string =>
      `promoted from ${sourceOf(source)}${wasBuilt ? `: what its build took from variables or from its address is ${source.promoted_from === null ? 'that application’s' : 'the preview’s'}` : ''}`,
    otherBuildVariables: (names: readonly string[], application: string): string =>
      `warning: these variables for builds differ, and the build had the values of ${application}: ${names.join(', ')}`,
    copiedAlready: 'This release was promoted here before: nothing is copied.',
    healthy: (path: string): string => `answers at ${path}`,
    listensElsewhere: (port: number): string =>
      `it listens on port ${port}, not on the variable PORT; starting it again with that port`,
    live: (url: string): string => `live at ${url}`,
    failed: (reason: string): string => `failed: ${reason}`,
    keptServing: 'The previous version keeps serving.',
    siteReplaced: (hash: string, source: VersionKind): string =>
      `the version of ${source} ${hash.slice(0, 12)} serves now; this version is stopped`,
    brought: (path: string, runtime: string): string =>
      `the site’s data at ${path} was moved from where it ran before (${runtime})`,
    siteEnds: 'the site is stopped',
    withoutRelease: 'the site is stopped: its release was removed; deploy it again',
    siteLeaves: 'this server stops the site; it starts again with this server or the next one',
    siteRestarts: (how: string, seconds: number): string => `${how}; starting it again in ${seconds} s`,
    siteStays: (how: string): string => `${how}; it stays down until that is fixed`,
    engineAway: 'could not be started again: the container engine does not respond',
    replicaFell: (how: string): string => `${how}; it is started again`,
    replicaSilent: (why: string): string => `gets no requests for now: ${why}`,
    processEnds: 'scaled down: this process is stopped',
  },
} as const;
