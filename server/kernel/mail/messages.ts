import { DEFAULT_ZONE } from '../clock.ts';
import { type Language, languageNameOf, localeOf, type Words } from '../languages.ts';
import type { Forecast } from './budget.ts';
import type { StopReason } from './senders.ts';

/** Stored reason why a mail was refused; contains neither an address nor a text of the mail. */
export type MailProblem =
  /** The mail server's answer, and the SMTP command that it answered. */
  | { code: 'refused'; status: number; step: string | null }
  /** The mail server could not be reached, or was too busy, until the last try. */
  | { code: 'away' }
  /** The mail was withdrawn while it was being handed over. */
  | { code: 'withdrawn' }
  /** The sender's mail was stopped for so long that the mail is of no interest any more. */
  | { code: 'held' };

/** Text for a problem; for an unknown code, which another version of the server may have stored, the code itself. */
export function mailProblemText(problem: MailProblem, language: Language): string {
  return wordsOf(problem)?.[language] ?? problem.code;
}

function wordsOf(problem: MailProblem): Words | undefined {
  switch (problem.code) {
    case 'refused': {
      const { status, step } = problem;
      return {
        he: `שרת המייל דחה את ההודעה: הוא ענה ${status}${step ? ` על ${step}` : ''}`,
        ar: `رفض خادم البريد الرسالة: أجاب ${status}${step ? ` عن ${step}` : ''}`,
        en: `the mail server answered ${status}${step ? ` to ${step}` : ''}`,
      };
    }
    case 'away':
      return {
        he: 'שרת המייל לא היה זמין',
        ar: 'ظلّ خادم البريد غير متاح',
        en: 'the mail server stayed away',
      };
    case 'withdrawn':
      return {
        he: 'ההודעה בוטלה כשכבר הייתה בדרך; לא ידוע אם הגיעה, והיא לא תישלח שוב',
        ar: 'سُحبت الرسالة وهي في طريقها؛ لا يُعرف إن وصلت، ولن تُرسل مرة أخرى',
        en: 'the mail was withdrawn on its way; it is not known whether it arrived, and it is not sent again',
      };
    case 'held':
      return {
        he: 'ההודעה המתינה יותר מדי זמן ולא נשלחה, כי שליחת המיילים שלכם הייתה עצורה',
        ar: 'انتظرت الرسالة أطول من اللازم ولم تُرسل، لأن إرسال بريدكم كان موقوفًا',
        en: 'the mail waited for too long and was not sent, as your mail was stopped',
      };
    default:
      return undefined;
  }
}

const stopped: Readonly<Record<StopReason, Words>> = {
  refused: {
    he: 'שליחת המיילים שלכם נעצרה: יותר מדי מהכתובות שכתבתם אליהן דחו את ההודעות או שאינן קיימות. בדקו את הכתובות ופנו למי שמפעיל את השרת; מה שממתין יישלח אחר כך.',
    ar: 'أُوقف إرسال بريدكم: عناوين كثيرة مما كتبتم إليه رفضت الرسائل أو غير موجودة. راجعوا العناوين وتواصلوا مع من يشغّل الخادم؛ وما ينتظر سيُرسل بعد ذلك.',
    en: 'Your mail is stopped: too many of the addresses you wrote to refused it or do not exist. Check the addresses and ask whoever runs the server; what waits goes out after that.',
  },
  complaint: {
    he: 'שליחת המיילים שלכם נעצרה כי מישהו התלונן עליהם. פנו למי שמפעיל את השרת; מה שממתין יישלח אחר כך.',
    ar: 'أُوقف إرسال بريدكم لأن أحدهم اشتكى منه. تواصلوا مع من يشغّل الخادم؛ وما ينتظر سيُرسل بعد ذلك.',
    en: 'Your mail is stopped because somebody complained about it. Ask whoever runs the server; what waits goes out after that.',
  },
  operator: {
    he: 'שליחת המיילים שלכם נעצרה בידי מי שמפעיל את השרת. פנו אליו; מה שממתין יישלח אחר כך.',
    ar: 'أوقف من يشغّل الخادم إرسال بريدكم. تواصلوا معه؛ وما ينتظر سيُرسل بعد ذلك.',
    en: 'Your mail is stopped by whoever runs the server. Ask them; what waits goes out after that.',
  },
};

/** Messages about the limits on mail. */
export const mailMessages = {
  stopped,
  tooMany: (requested: number, left: number): Words =>
    requested === 1
      ? {
          he: 'אי אפשר לשלוח את המייל: אין מקום למיילים נוספים בשמכם בשבוע הקרוב. נסו שוב מחר.',
          ar: 'تعذّر إرسال الرسالة: لا مكان لرسائل أخرى باسمكم في الأسبوع القادم. حاولوا مجددًا غدًا.',
          en: 'The mail can’t be sent: there is no room for more mails on your behalf within the next week. Try again tomorrow.',
        }
      : {
          he: `${requested} מיילים הם יותר ממה שאפשר לשלוח בשמכם בשבוע הקרוב (נותרו ${left}). שלחו לחלק מהאורחים, או נסו שוב מחר.`,
          ar: `${requested} رسالة أكثر مما يمكن إرساله باسمكم في الأسبوع القادم (بقي ${left}). أرسلوا إلى بعض الضيوف، أو حاولوا مجددًا غدًا.`,
          en: `${requested} mails are more than can go out on your behalf within the next week (${left} are left). Send to some of the guests, or try again tomorrow.`,
        },
  /** Hint before a round: some mails go at once, the others later. */
  someLater: ({ now, later, last_at = 0, beyond }: Forecast): Words => {
    const until = (language: Language) =>
      new Date(last_at).toLocaleString(localeOf(languageNameOf(language)), {
        timeZone: DEFAULT_ZONE,
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        hour: '2-digit',
        minute: '2-digit',
      });
    const rest = later > 0;
    return {
      he: `יש גבול למספר המיילים ביום: ${now} ייצאו מייד${rest ? `, ו־${later} ייצאו מעצמם עד ${until('he')}` : ''}.${beyond > 0 ? ` ל־${beyond} אין מקום בשבוע הקרוב.` : ''}`,
      ar: `لعدد الرسائل في اليوم حد: ${now} تخرج فورًا${rest ? `، و${later} تخرج تلقائيًا حتى ${until('ar')}` : ''}.${beyond > 0 ? ` ولا مكان لـ ${beyond} في الأسبوع القادم.` : ''}`,
      en: `A day has a limit on mails: ${now} go out at once${rest ? `, and ${later} by themselves until ${until('en')}` : ''}.${beyond > 0 ? ` There is no room for ${beyond} within the next week.` : ''}`,
    };
  },
} as const;

/** Texts of the page that shows mail to developers. */
export const outboxWords = {
  title: 'Mail',
  explanation: 'No SMTP_URL is set, so mail is kept here in place of being sent. Newest first.',
  empty: 'No mail yet. Ask for a sign-in code, and it will be here.',
  locked:
    'Whoever reads this page can sign in as anybody, so it asks for a key. Open the whole address that the server printed when it started: it ends in ?key=… (the key is also in the file mail-key in DATA_DIR).',
  back: 'All mail',
  to: 'To',
  text: 'As text',
  html: 'As HTML',
  gone: 'This mail is not here (any more).',
} as const;
