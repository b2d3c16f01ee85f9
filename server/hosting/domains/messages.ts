import type { Words } from '../../kernel/languages.ts';
import type { CheckProblem } from './check.ts';

/** Texts of the domain routes. Texts common to all APIs are in kernel/http/messages.ts. */
export const messages = {
  noSuchDomain: {
    he: 'לאפליקציה אין דומיין כזה.',
    ar: 'ليس للتطبيق نطاق كهذا.',
    en: 'The application has no such domain.',
  },
  tooMany: (most: number): Words => ({
    he: `לאפליקציה כבר יש ${most} דומיינים, וזה המספר המרבי.`,
    ar: `للتطبيق ${most} نطاقًا، وهو الحد الأقصى.`,
    en: `The application has ${most} domains, the limit for one application.`,
  }),
  hostname: {
    form: {
      he: 'נדרש שם של מארח, למשל www.example.com, בלי פרוטוקול, פורט או נתיב.',
      ar: 'يلزم اسم مضيف، مثل www.example.com، دون بروتوكول أو منفذ أو مسار.',
      en: 'must be a host name, such as www.example.com, without a protocol, a port or a path.',
    },
    private: {
      he: 'נדרש שם של האינטרנט הציבורי.',
      ar: 'يلزم اسم من الإنترنت العام.',
      en: 'must be a name of the public internet.',
    },
    ours: {
      he: 'נדרש דומיין משלך; שמות של הפלטפורמה ניתנים כתת־דומיינים.',
      ar: 'يلزم نطاق خاص بك؛ أسماء المنصة تُعطى نطاقات فرعية.',
      en: 'must be your own domain; names of this platform are assigned only as subdomains.',
    },
  },
  redirect: {
    unknown: {
      he: 'נדרש דומיין אחר של אותה אפליקציה.',
      ar: 'يلزم نطاق آخر للتطبيق نفسه.',
      en: 'must be another domain of the same application.',
    },
    chain: {
      he: 'דומיין שמפנה לאחר לא יכול להיות יעד של הפניה.',
      ar: 'النطاق الذي يحوّل إلى غيره لا يكون هدفًا لتحويل.',
      en: 'must not redirect itself, nor may another domain redirect to this one.',
    },
  },
  unknownHost: { he: 'המארח הזה אינו שלנו.', ar: 'هذا المضيف ليس لنا.', en: 'This host is not served here.' },
} as const;

/** Reasons why a domain is not proved yet, and what to do about them. */
export const checkProblems: Readonly<Record<CheckProblem, Words>> = {
  record_missing: {
    he: 'לא נמצאה אף אחת מהרשומות. אפשר להגדיר אחת מהן אצל ספק ה־DNS; עד שרואים אותה עוברות לפעמים כמה דקות. לדומיין עצמו (example.com) אי אפשר להגדיר CNAME: הוא מקבל את רשומת ה־TXT, ורשומת A או AAAA (או ALIAS) שמובילה לכאן.',
    ar: 'لم نجد أيًّا من السجلّين. أضف أحدهما لدى مزوّد DNS؛ قد تمرّ دقائق حتى يظهر. النطاق نفسه (example.com) لا يقبل CNAME: يأخذ سجلّ TXT، وسجلّ A أو AAAA (أو ALIAS) يقود إلى هنا.',
    en: 'Neither record was found. Set one of them at your DNS provider; it may take some minutes until it is seen. A domain itself (example.com) can’t have a CNAME: it takes the TXT record, and an A or AAAA (or ALIAS) that leads here.',
  },
  record_wrong: {
    he: 'נמצאה רשומה, אבל עם ערך אחר. כדאי להשוות אותה לרשומות שמוצגות כאן.',
    ar: 'وجدنا سجلًّا لكن بقيمة أخرى. قارنه بالسجلّين المعروضين هنا.',
    en: 'A record was found, but with another value. Compare it with the ones shown here.',
  },
  dns_unavailable: {
    he: 'שרתי השמות של הדומיין לא ענו. הבדיקה תחזור מעצמה.',
    ar: 'لم تُجب خوادم أسماء هذا النطاق. سيُعاد الفحص تلقائيًا.',
    en: 'The name servers of this domain did not answer. The check is repeated automatically.',
  },
  taken: {
    he: 'אפליקציה אחרת הוכיחה את הדומיין הזה, והרשומה שלה עדיין קיימת. קודם יש להסיר אותה.',
    ar: 'أثبت تطبيق آخر هذا النطاق، ولا يزال سجلّه قائمًا. أزل ذلك السجلّ أولًا.',
    en: 'Another application has proved this domain, and its record still exists. Remove that record first.',
  },
};
