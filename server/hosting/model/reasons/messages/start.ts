import type { Words } from '../../../../kernel/languages.ts';
import { arabicSeconds, clause, followedBy, type Nested, outputOf, type Quoted } from './parts.ts';

/** Reasons why a site did not start or stopped running. */
export const startReasons = {
  ended_before_healthy: ({ how, said, hint }: Nested & Quoted & { hint?: Words }): Words => ({
    he: `האתר לא הצליח לעלות: ${how.he}.${outputOf(said).he}${followedBy(hint?.he)}`,
    ar: `لم يتمكن الموقع من البدء: ${how.ar}.${outputOf(said).ar}${followedBy(hint?.ar)}`,
    en: `The site did not start: it ${how.en}.${outputOf(said).en}${followedBy(hint?.en)}`,
  }),
  error_in_package: ({ version, earlier }: { version: string; earlier: number }): Words => ({
    he: `השגיאה מגיעה מחבילה, והאתר רץ ב־Node.js ${version}. לחבילות ישנות דרושה לפעמים גרסה מוקדמת יותר, למשל node: "${earlier}".`,
    ar: `الخطأ صادر عن حزمة، والموقع عمل على Node.js ${version}. قد تحتاج الحزم القديمة إلى إصدار أقدم، مثل node: "${earlier}".`,
    en: `The error comes from a package, and the site ran with Node.js ${version}. Older packages may need an earlier version, such as node: "${earlier}".`,
  }),
  not_healthy: ({ path, seconds, said }: { path: string; seconds: number } & Quoted): Words => ({
    he: `בדיקת התקינות נכשלה: האתר לא ענה בנתיב ${path} בסטטוס נמוך מ־500 בתוך ${seconds} שניות.${outputOf(said).he}`,
    ar: `فشل فحص السلامة: لم يُجب الموقع عند ${path} بحالة دون 500 خلال ${arabicSeconds(seconds)}.${outputOf(said).ar}`,
    en: `The health check failed: the site did not answer at ${path} with a status under 500 within ${seconds} s.${outputOf(said).en}`,
  }),
  not_healthy_at_last: ({
    path,
    seconds,
    last,
    said,
  }: { path: string; seconds: number; last: Words } & Quoted): Words => ({
    he: `בדיקת התקינות נכשלה: האתר לא ענה בנתיב ${path} בסטטוס נמוך מ־500 בתוך ${seconds} שניות (${last.he}).${outputOf(said).he}`,
    ar: `فشل فحص السلامة: لم يُجب الموقع عند ${path} بحالة دون 500 خلال ${arabicSeconds(seconds)} (${last.ar}).${outputOf(said).ar}`,
    en: `The health check failed: the site did not answer at ${path} with a status under 500 within ${seconds} s (${last.en}).${outputOf(said).en}`,
  }),
  not_listening: ({ port, seconds, said }: { port: number; seconds: number } & Quoted): Words => ({
    he: `האתר לא האזין בפורט ${port} (המשתנה PORT) בתוך ${seconds} שניות.${outputOf(said).he}`,
    ar: `لم يستمع الموقع على المنفذ ${port} (المتغيّر PORT) خلال ${arabicSeconds(seconds)}.${outputOf(said).ar}`,
    en: `The site did not listen on port ${port} (the variable PORT) within ${seconds} s.${outputOf(said).en}`,
  }),
  listens_elsewhere: ({ port, seconds, ports }: { port: number; seconds: number; ports: string }): Words => ({
    he: `האתר לא האזין בפורט ${port} (המשתנה PORT) בתוך ${seconds} שניות, אלא בפורט ${ports}. הגדירו לו להאזין בפורט שב־PORT, או הגדירו port.`,
    ar: `لم يستمع الموقع على المنفذ ${port} (المتغيّر PORT) خلال ${arabicSeconds(seconds)}، بل على المنفذ ${ports}. اجعله يستمع على المنفذ الذي في PORT، أو عيّن port.`,
    en: `The site did not listen on port ${port} (the variable PORT) within ${seconds} s, but on port ${ports}. Make it listen on PORT, or set port.`,
  }),
  last_status: ({ status }: { status: number }): Words => ({
    he: `התשובה האחרונה: ${status}`,
    ar: `آخر استجابة: ${status}`,
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
  site_ended: ({ how }: Nested): Words => ({
    he: `האתר ירד: ${how.he}.`,
    ar: `توقّف الموقع: ${how.ar}.`,
    en: `The site ${how.en}.`,
  }),
  site_stopped: { he: 'האתר נעצר בידי בעליו.', ar: 'أوقفه صاحبه.', en: 'Stopped by its owner.' },
  did_not_come_back: ({ why }: { why: Words }): Words => ({
    he: `הוא לא חזר לפעול: ${clause(why.he)}`,
    ar: `لم يعد إلى العمل: ${clause(why.ar)}`,
    en: `could not be started again: ${clause(why.en)}`,
  }),
  our_fault: {
    he: 'משהו השתבש אצלנו.',
    ar: 'حدث خطأ من جهتنا.',
    en: 'Something went wrong on our side.',
  },
} as const;
