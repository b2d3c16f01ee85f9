import type { Words } from '../../kernel/languages.ts';

/** What deployments say in answers and, in English, in logs. */
export const messages = {
  notVerified: {
    he: 'קודם יש לאמת את כתובת הדוא״ל; אחר כך אפשר לפרוס.',
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
  cantRollBack: {
    he: 'הגרסה של הפריסה הזאת כבר אינה שמורה; אפשר לחזור לאחרת.',
    ar: 'إصدار هذا النشر لم يعد محفوظًا؛ ارجع إلى غيره.',
    en: 'This deployment has no release that is still kept; roll back to another one.',
  },
  alreadyRunning: { he: 'האתר כבר פועל.', ar: 'الموقع يعمل أصلًا.', en: 'The site is running already.' },
  notRunning: { he: 'האתר אינו פועל.', ar: 'الموقع لا يعمل.', en: 'The site is not running.' },
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

  endedBeforeHealthy: (how: string): string => `The site ${how} before it answered.`,
  notHealthy: (path: string, seconds: number, last: string): string =>
    `The site did not answer at ${path} with a status under 500 within ${seconds} s${last && ` (${last})`}.`,
  statusWas: (status: number): string => `the last answer was ${status}`,
  noAnswer: (reason: string): string => `no answer: ${reason}`,
  tooLate: 'timeout',
  broken: 'the connection was closed',
  repositoryRefused: 'The repository’s address is not allowed any more, or its host can’t be found.',
  releaseGone: 'The release is not on disk any more; deploy again.',
  tooManyAttempts: 'The server ended while it worked on this deployment, several times over.',
  internal: 'Something went wrong on our side. Deploy again.',
  ourFault: 'Something went wrong on our side.',
  cancelled: 'Cancelled.',
  superseded: 'A newer deployment took its place.',
  applicationGone: 'The application was deleted.',

  siteEnded: (how: string): string => `The site ${how}.`,
  siteStopped: 'Stopped by its owner.',

  log: {
    cut: 'There is more output than is kept; the rest of it is left out.',
    writtenAgain: (code: string): string =>
      `This log could not be written for a while (${code}); all of its lines are here again.`,
    stepBegins: '…',
    stepDone: (seconds: string): string => `done in ${seconds} s`,
    stepFailed: (seconds: string): string => `failed after ${seconds} s`,
    resumed: 'The server was restarted in between; beginning again.',
    branch: (branch: string, repository: string): string => `branch ${branch} of ${repository}`,
    commit: (hash: string, message: string): string => `commit ${hash.slice(0, 12)} ${message}`,
    unchanged: 'Nothing has changed since this release was built: no build is needed.',
    release: (hash: string, message: string): string => `release of commit ${hash.slice(0, 12)} ${message}`,
    healthy: (path: string): string => `answers at ${path}`,
    live: (url: string): string => `live at ${url}`,
    failed: (reason: string): string => `failed: ${reason}`,
    keptServing: 'The version before goes on serving.',
    didNotComeBack: (reason: string): string => `did not come back: ${reason}`,
    siteRestarts: (how: string, seconds: number): string =>
      `the site ${how}; starting it again in ${seconds} s`,
  },
} as const;
