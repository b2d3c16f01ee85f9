import { DEFAULT_ZONE } from '../kernel/clock.ts';
import { type Language, type LanguageName, localeOf } from '../kernel/languages.ts';
import type { Purpose } from './codes.ts';

/** Messages of the identity API. Messages common to all APIs are in kernel/http/messages.ts. */
export const identityMessages = {
  keyNeeded: {
    he: 'נדרש מפתח API תקף: יש לשלוח אותו בכותרת X-API-Key.',
    ar: 'يلزم مفتاح API صالح: أرسله في الترويسة X-API-Key.',
    en: 'A valid API key is needed: send it in the header X-API-Key.',
  },
  notAllowed: {
    he: 'מפתח ה־API תקף, אבל לא לזה.',
    ar: 'مفتاح API صالح، لكن ليس لهذا.',
    en: 'This API key is valid, but does not allow this.',
  },
  email: {
    he: 'נדרשת כתובת מייל, למשל you@example.com.',
    ar: 'يلزم عنوان بريد إلكتروني، مثل you@example.com.',
    en: 'must be a mail address, such as you@example.com.',
  },
  userId: {
    he: 'נדרש ה־user_id שנמסר בהרשמה.',
    ar: 'يلزم معرّف user_id الذي أعطاه التسجيل.',
    en: 'must be the user_id from the registration.',
  },
  registered: {
    he: 'הכתובת הזאת כבר רשומה ומאומתת. כדי ליצור מפתח API חדש יש להיכנס עם קוד שנשלח במייל.',
    ar: 'هذا العنوان مسجّل ومؤكّد. لإنشاء مفتاح API جديد ادخل برمز يصلك بالبريد.',
    en: 'This address is registered and verified. Sign in with a mailed code to make a new API key.',
  },
  registrationClosed: {
    he: 'הכתובת הזאת אינה יכולה להצטרף לשרת הזה בלי הזמנה. אפשר לבקש הזמנה ממי שמפעיל אותו, ולשלוח אותה בשדה invitation.',
    ar: 'لا يمكن لهذا العنوان الانضمام إلى هذا الخادم دون دعوة. اطلب دعوة ممّن يشغّله، وأرسلها في الحقل invitation.',
    en: 'This address can’t join this server without an invitation. Ask its operator for one, and send it as invitation.',
  },
  wrongCode: {
    he: 'הקוד שגוי או שתוקפו פג. אפשר לבקש קוד חדש.',
    ar: 'الرمز خاطئ أو انتهت صلاحيته. اطلب رمزًا جديدًا.',
    en: 'The code is wrong or has expired. Ask for a new one.',
  },
  keyOfCode: {
    he: 'הכתובת הזאת נרשמה יותר מפעם אחת. יש לשלוח יחד עם הקוד את מפתח ה־API שקיבלת בהרשמה שלך, בכותרת X-API-Key.',
    ar: 'سُجّل هذا العنوان أكثر من مرة. أرسل مع الرمز مفتاح API الذي حصلت عليه عند تسجيلك، في الترويسة X-API-Key.',
    en: 'This address was registered more than once. Send the code together with the API key that your own registration gave, in the header X-API-Key.',
  },
  codeDead: {
    he: 'הוזנו יותר מדי קודים שגויים, והקוד שנשלח אינו תקף עוד. אפשר לבקש קוד חדש.',
    ar: 'أُدخلت رموز خاطئة كثيرة، ولم يعد الرمز المُرسل صالحًا. اطلب رمزًا جديدًا.',
    en: 'Too many wrong codes: the one that was mailed is no longer valid. Ask for a new one.',
  },
  tooManyTries: {
    he: 'יותר מדי קודים שגויים הגיעו מהרשת שלך. אפשר לבקש קוד ולהזין אותו באותו דפדפן, או לנסות שוב בעוד רבע שעה.',
    ar: 'وصلت رموز خاطئة كثيرة من شبكتك. اطلب رمزًا وأدخله في المتصفح نفسه، أو حاول مرة أخرى بعد ربع ساعة.',
    en: 'Too many wrong codes came from your network. Ask for a code and enter it in the same browser (or with its request_id), or try again in a quarter of an hour.',
  },
  tooManyTriesForAddress: {
    he: 'הוזנו יותר מדי קודים שגויים לכתובת הזאת. אפשר לבקש קוד ולהזין אותו באותו דפדפן (או עם ה־request_id או מפתח ה־API שלו).',
    ar: 'أُدخلت رموز خاطئة كثيرة لهذا العنوان. اطلب رمزًا وأدخله في المتصفح نفسه (أو مع request_id أو مفتاح API الخاص به).',
    en: 'Too many wrong codes were entered for this address. Ask for a code and enter it in the same browser (or with its request_id or API key).',
  },
  tooManyCodes: {
    he: 'כבר נשלחו לכתובת הזאת מספיק קודים. אפשר להזין את האחרון שהגיע, או לבקש קוד חדש בעוד רבע שעה.',
    ar: 'أُرسلت رموز كافية إلى هذا العنوان. أدخل آخر رمز وصل، أو اطلب رمزًا جديدًا بعد ربع ساعة.',
    en: 'Enough codes were mailed to this address for now. Enter the last one that arrived, or ask for a new one in a quarter of an hour.',
  },
  sessionNeeded: {
    he: 'צריך להיכנס קודם: מבקשים קוד במייל ונכנסים איתו.',
    ar: 'يلزم الدخول أولًا: برمز يُطلب ويصل بالبريد.',
    en: 'Please sign in first: request a code by mail and enter it.',
  },
  wrongOrigin: {
    he: 'הבקשה הגיעה מדף שאינו של השרת הזה, ולכן לא בוצעה. אפשר לפתוח את שמחה ולנסות משם.',
    ar: 'جاء الطلب من صفحة ليست لهذا الخادم، فلم يُنفَّذ. يمكن فتح سمحا والمحاولة من هناك.',
    en: 'The request came from another site’s page, so nothing was done. Open Simcha and try again from there.',
  },
  csrfToken: {
    he: 'הדף הזה נפתח לפני הכניסה הנוכחית, ולכן לא בוצע דבר. כדאי לטעון אותו מחדש ולנסות שוב.',
    ar: 'فُتحت هذه الصفحة قبل الدخول الحالي، فلم يُنفَّذ شيء. يكفي تحديثها ثم المحاولة من جديد.',
    en: 'This page was opened before the current sign-in, so nothing was done. Reload it and try again.',
  },
  noSuchSession: {
    he: 'אין לך כניסה כזאת; ייתכן שכבר הסתיימה.',
    ar: 'لا يوجد لديك دخول كهذا؛ ربما انتهى.',
    en: 'You have no such session; it may have ended.',
  },
} as const;

/**
 * Data about a request for a code. They are in the mail, so that its reader can tell whether the request was theirs.
 */
export interface CodeOrigin {
  at: Temporal.Instant;
  /** Network address of the client that requested the mailed code. */
  from: string;
  /** Beginning of the API key that the mailed code verifies. */
  keyHint?: string | undefined;
}

interface CodeLetter {
  subject: (code: string) => string;
  title: string;
  paragraphs: readonly string[];
  footer: string;
}

/** Texts of the mails that contain a code. */
export const codeLetters: Readonly<
  Record<Language, Readonly<Record<Purpose, (origin: CodeOrigin) => CodeLetter>>>
> = {
  he: {
    verify: (origin) => ({
      subject: (code) => `${code} הוא קוד האימות שלך בשמחה`,
      title: 'ברוך בואך לשמחה',
      paragraphs: [
        'כדי לאמת את כתובת המייל הזאת יש להזין את הקוד:',
        'הקוד תקף לרבע שעה ולשימוש אחד.',
        ...ofKey(
          origin,
          (key) =>
            `הקוד מאמת רק את מפתח ה־API שמתחיל ב־${leftToRight(key)}. קיבלת מפתח אחר? אין להזין את הקוד הזה: מישהו אחר ביקש אותו.`,
        ),
        askedHebrew(origin),
      ],
      footer: 'לא נרשמת לשמחה? אפשר להתעלם מההודעה, ודבר לא יקרה.',
    }),
    sign_in: (origin) => ({
      subject: (code) => `${code} הוא קוד הכניסה שלך לשמחה`,
      title: 'כניסה לשמחה',
      paragraphs: ['זה קוד הכניסה שלך:', 'הקוד תקף לרבע שעה ולשימוש אחד.', askedHebrew(origin)],
      footer: 'לא ביקשת להיכנס? אפשר להתעלם מההודעה. אין למסור את הקוד לאיש.',
    }),
  },
  ar: {
    verify: (origin) => ({
      subject: (code) => `${code} هو رمز التحقق الخاص بك في سمحا`,
      title: 'أهلًا بك في سمحا',
      paragraphs: [
        'لتأكيد عنوان البريد الإلكتروني هذا، أدخل الرمز:',
        'الرمز صالح لربع ساعة ولاستعمال واحد.',
        ...ofKey(
          origin,
          (key) =>
            `يؤكّد هذا الرمز مفتاح API الذي يبدأ بـ ${leftToRight(key)} وحده. لديك مفتاح آخر؟ لا تُدخل هذا الرمز: شخص آخر طلبه.`,
        ),
        askedArabic(origin),
      ],
      footer: 'لم تسجّل في سمحا؟ يمكنك تجاهل هذه الرسالة، ولن يحدث شيء.',
    }),
    sign_in: (origin) => ({
      subject: (code) => `${code} هو رمز الدخول الخاص بك إلى سمحا`,
      title: 'الدخول إلى سمحا',
      paragraphs: ['هذا رمز الدخول الخاص بك:', 'الرمز صالح لربع ساعة ولاستعمال واحد.', askedArabic(origin)],
      footer: 'لم تطلب الدخول؟ يمكنك تجاهل هذه الرسالة. لا تعطِ الرمز لأحد.',
    }),
  },
  en: {
    verify: (origin) => ({
      subject: (code) => `${code} is your Simcha verification code`,
      title: 'Welcome to Simcha',
      paragraphs: [
        'To verify this mail address, enter the code:',
        'It works once, within a quarter of an hour.',
        ...ofKey(
          origin,
          (key) =>
            `It verifies the API key that begins with ${key}, and no other. You were given another key? Don’t enter this code: somebody else asked for it.`,
        ),
        askedEnglish(origin),
      ],
      footer: 'You did not register with Simcha? Ignore this mail, and nothing will happen.',
    }),
    sign_in: (origin) => ({
      subject: (code) => `${code} is your Simcha sign-in code`,
      title: 'Sign in to Simcha',
      paragraphs: [
        'This is your sign-in code:',
        'It works once, within a quarter of an hour.',
        askedEnglish(origin),
      ],
      footer: 'You did not ask to sign in? Ignore this mail. Never give the code to anybody.',
    }),
  },
};

function askedHebrew({ at, from }: CodeOrigin): string {
  return `הקוד התבקש ב־${dayOf(at, 'hebrew')} בשעה ${timeOf(at)} (שעון ישראל), מהכתובת ${leftToRight(from)}.`;
}

function askedArabic({ at, from }: CodeOrigin): string {
  return `طُلب الرمز في ${dayOf(at, 'arabic')} الساعة ${timeOf(at)} (بتوقيت القدس)، من العنوان ${leftToRight(from)}.`;
}

function askedEnglish({ at, from }: CodeOrigin): string {
  return `It was asked for on ${dayOf(at, 'english')} at ${timeOf(at)} (Israel time), from the address ${from}.`;
}

function ofKey({ keyHint }: CodeOrigin, say: (key: string) => string): string[] {
  return keyHint === undefined ? [] : [say(keyHint)];
}

function dayOf(at: Temporal.Instant, language: LanguageName): string {
  return at.toLocaleString(localeOf(language), { dateStyle: 'long', timeZone: DEFAULT_ZONE });
}

function timeOf(at: Temporal.Instant): string {
  return at.toZonedDateTimeISO(DEFAULT_ZONE).toPlainTime().toString({ smallestUnit: 'minute' });
}

/** Wraps left-to-right text in direction marks, because the text around it may run right to left. */
function leftToRight(text: string): string {
  return `\u2066${text}\u2069`;
}
