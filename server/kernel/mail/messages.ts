import { DEFAULT_ZONE } from '../clock.ts';
import { type Language, languageNameOf, localeOf, type Words } from '../languages.ts';
import type { Forecast } from './budget.ts';
import type { StopReason } from './senders.ts';

/** Stored reason why a mail was refused; contains neither an address nor a text of the mail. */
export type MailProblem =
  /**
   * Refusal of the mail by a mail server: `status` is the server's answer, `step` the SMTP command that it answered.
   */
  | { code: 'refused'; status: number; step: string | null }
  /**
   * Report that the mail can't be delivered, after the mail server had accepted it. `status` is a status of RFC 3463.
   */
  | { code: 'bounced'; status: string }
  /** Mail server could not be reached, or was too busy, until the last try. */
  | { code: 'away' }
  /** Mail was withdrawn while it was being handed to the mail server. */
  | { code: 'withdrawn' }
  /** Mail of the sender was stopped for so long that this mail is of no interest any more. */
  | { code: 'held' };

/**
 * Text of a problem with a mail. An unknown code, which another version of the server may have stored, is its own text.
 */
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
    case 'bounced':
      return {
        he: `ההודעה נשלחה וחזרה: אי אפשר למסור אותה לכתובת הזאת (${problem.status})`,
        ar: `أُرسلت الرسالة وارتدّت: لا يمكن تسليمها إلى هذا العنوان (${problem.status})`,
        en: `the mail came back: it can’t be delivered to this address (${problem.status})`,
      };
    case 'away':
      return {
        he: 'שרת המייל לא היה זמין',
        ar: 'كان خادم البريد غير متاح',
        en: 'the mail server was unavailable',
      };
    case 'withdrawn':
      return {
        he: 'ההודעה בוטלה כשכבר הייתה בדרך; לא ידוע אם הגיעה, והיא לא תישלח שוב',
        ar: 'سُحبت الرسالة وهي في طريقها؛ لا يُعرف إن وصلت، ولن تُرسل مرة أخرى',
        en: 'the mail was withdrawn while it was being sent; it may have arrived, and it will not be sent again',
      };
    case 'held':
      return {
        he: 'ההודעה המתינה יותר מדי זמן ולא נשלחה, כי שליחת המיילים שלכם הייתה עצורה',
        ar: 'انتظرت الرسالة أطول من اللازم ولم تُرسل، لأن إرسال بريدكم كان موقوفًا',
        en: 'the mail waited too long and was not sent, because your mail was stopped',
      };
    default:
      return undefined;
  }
}

const stopped: Readonly<Record<StopReason | 'visitors', Words>> = {
  refused: {
    he: 'שליחת המיילים שלכם נעצרה: יותר מדי מהכתובות שכתבתם אליהן דחו את ההודעות או שאינן קיימות. בדקו את הכתובות ופנו למי שמפעיל את השרת; מה שממתין יישלח אחר כך.',
    ar: 'أُوقف إرسال بريدكم: عناوين كثيرة مما كتبتم إليه رفضت الرسائل أو غير موجودة. راجعوا العناوين وتواصلوا مع من يشغّل الخادم؛ وما ينتظر سيُرسل بعد ذلك.',
    en: 'Your mail is stopped: too many of the addresses you wrote to refused it or do not exist. Check the addresses and contact the operator of the server; waiting mails go out afterwards.',
  },
  complaint: {
    he: 'שליחת המיילים שלכם נעצרה כי מישהו התלונן עליהם. פנו למי שמפעיל את השרת; מה שממתין יישלח אחר כך.',
    ar: 'أُوقف إرسال بريدكم لأن أحدهم اشتكى منه. تواصلوا مع من يشغّل الخادم؛ وما ينتظر سيُرسل بعد ذلك.',
    en: 'Your mail is stopped because somebody complained about it. Contact the operator of the server; waiting mails go out afterwards.',
  },
  operator: {
    he: 'שליחת המיילים שלכם נעצרה בידי מי שמפעיל את השרת. פנו אליו; מה שממתין יישלח אחר כך.',
    ar: 'أوقف من يشغّل الخادم إرسال بريدكم. تواصلوا معه؛ وما ينتظر سيُرسل بعد ذلك.',
    en: 'Your mail was stopped by the operator of the server. Contact them; waiting mails go out afterwards.',
  },
  visitors: {
    he: 'הרבה כתובות שנרשמו בקישור הפתוח שלכם אינן קיימות, ולכן נשלחים עכשיו רק מעט מיילים לאישור הרשמה. ההודעות שלכם לאורחים נשלחות כרגיל.',
    ar: 'عناوين كثيرة سُجّلت عبر رابطكم المفتوح غير موجودة، لذلك لا تُرسل الآن إلا رسائل قليلة لتأكيد التسجيل. رسائلكم إلى الضيوف تُرسل كالمعتاد.',
    en: 'Many addresses that were entered at your open link do not exist, so only few mails that confirm a registration go out now. Your own messages to guests are sent as usual.',
  },
};

/** Texts for errors and hints about the limits on mail. */
export const mailMessages = {
  stopped,
  tooMany: (requested: number, left: number): Words =>
    requested === 1
      ? {
          he: 'אי אפשר לשלוח את המייל: הגעתם למכסת המיילים לשבוע הקרוב. נסו שוב מחר.',
          ar: 'تعذّر إرسال الرسالة: بلغتم الحد الأقصى للأسبوع القادم. حاولوا مجددًا غدًا.',
          en: 'The mail can’t be sent: you have reached the limit for the coming week. Try again tomorrow.',
        }
      : {
          he: `${requested} מיילים הם יותר ממה שאפשר לשלוח בשמכם בשבוע הקרוב (נותרו ${left}). שלחו לחלק מהאורחים, או נסו שוב מחר.`,
          ar: `${requested} رسالة أكثر مما يمكن إرساله باسمكم في الأسبوع القادم (بقي ${left}). أرسلوا إلى بعض الضيوف، أو حاولوا مجددًا غدًا.`,
          en: `${requested} mails exceed your limit for the coming week (${left} left). Send to some of the guests, or try again tomorrow.`,
        },
  /** Hint before messages to many guests are sent: some mails are sent at once, the others later. */
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
      he: `יש גבול למספר המיילים ביום: ${now} יישלחו מייד${rest ? `, ו־${later} יישלחו אוטומטית עד ${until('he')}` : ''}.${beyond > 0 ? ` ${beyond} חורגים מהמכסה לשבוע הקרוב.` : ''}`,
      ar: `لعدد الرسائل في اليوم حد: ${now} تُرسل فورًا${rest ? `، و${later} تُرسل تلقائيًا حتى ${until('ar')}` : ''}.${beyond > 0 ? ` و${beyond} تتجاوز حد الأسبوع القادم.` : ''}`,
      en: `The number of mails per day is limited: ${now} go out now${rest ? `, and ${later} automatically by ${until('en')}` : ''}.${beyond > 0 ? ` ${beyond} exceed the limit for the coming week.` : ''}`,
    };
  },
} as const;

/** Texts of the page that shows mail to developers. */
export const outboxWords = {
  title: 'Mail',
  explanation: 'SMTP_URL is not set, so mails are stored here instead of being sent. Newest first.',
  empty: 'No mail yet. Request a sign-in code, and it will appear here.',
  locked:
    'Readers of this page can sign in as anybody, so it requires a key. Open the full address that the server printed when it started: it ends in ?key=… (the key is also in the file mail-key in DATA_DIR).',
  back: 'All mail',
  to: 'To',
  text: 'As text',
  html: 'As HTML',
  gone: 'This mail does not exist (any more).',
} as const;
