import type { Language } from '../kernel/languages.ts';
import type { Purpose } from './codes.ts';

/** What the identity API says, in English. What any API says is in kernel/http/messages.ts. */
export const messages = {
  keyNeeded: 'A valid API key is needed: send it in the header X-API-Key.',
  notAllowed: 'This API key is valid, but not for this.',
  email: 'must be a mail address, such as you@example.com.',
  userId: 'must be the user_id that registration gave.',
  registered: 'This address is registered and verified. Sign in with a mailed code to make a new API key.',
  wrongCode: 'The code is wrong or has expired. Ask for a new one.',
  tooManyTries: 'Too many wrong codes. Wait a quarter of an hour, then ask for a new one.',
  tooManyCodes: 'Too many codes were mailed to this address. Wait a quarter of an hour.',
  keyName: 'must be 1 to 100 characters of text on one line.',
  tooManyKeys: (most: number) =>
    `You have ${most} API keys, which is as many as one user may have; delete one first.`,
  noSuchKey: 'You have no such API key.',
} as const;

interface CodeLetter {
  subject: (code: string) => string;
  title: string;
  paragraphs: readonly string[];
  footer: string;
}

/** The mails that bring a code. */
export const codeLetters: Readonly<Record<Language, Readonly<Record<Purpose, CodeLetter>>>> = {
  he: {
    verify: {
      subject: (code) => `${code} הוא קוד האימות שלך בשמחה`,
      title: 'ברוך בואך לשמחה',
      paragraphs: ['כדי לאמת את כתובת הדוא״ל הזאת יש להזין את הקוד:', 'הקוד תקף לרבע שעה ולשימוש אחד.'],
      footer: 'לא נרשמת לשמחה? אפשר להתעלם מההודעה, ודבר לא יקרה.',
    },
    sign_in: {
      subject: (code) => `${code} הוא קוד הכניסה שלך לשמחה`,
      title: 'כניסה לשמחה',
      paragraphs: ['זה קוד הכניסה שלך:', 'הקוד תקף לרבע שעה ולשימוש אחד.'],
      footer: 'לא ביקשת להיכנס? אפשר להתעלם מההודעה. אין למסור את הקוד לאיש.',
    },
  },
  ar: {
    verify: {
      subject: (code) => `${code} هو رمز التحقق الخاص بك في سمحا`,
      title: 'أهلًا بك في سمحا',
      paragraphs: ['لتأكيد عنوان البريد الإلكتروني هذا، أدخل الرمز:', 'الرمز صالح لربع ساعة ولاستعمال واحد.'],
      footer: 'لم تسجّل في سمحا؟ يمكنك تجاهل هذه الرسالة، ولن يحدث شيء.',
    },
    sign_in: {
      subject: (code) => `${code} هو رمز الدخول الخاص بك إلى سمحا`,
      title: 'الدخول إلى سمحا',
      paragraphs: ['هذا رمز الدخول الخاص بك:', 'الرمز صالح لربع ساعة ولاستعمال واحد.'],
      footer: 'لم تطلب الدخول؟ يمكنك تجاهل هذه الرسالة. لا تعطِ الرمز لأحد.',
    },
  },
  en: {
    verify: {
      subject: (code) => `${code} is your Simcha verification code`,
      title: 'Welcome to Simcha',
      paragraphs: [
        'To verify this mail address, enter the code:',
        'It works once, within a quarter of an hour.',
      ],
      footer: 'You did not register with Simcha? Ignore this mail, and nothing will happen.',
    },
    sign_in: {
      subject: (code) => `${code} is your Simcha sign-in code`,
      title: 'Sign in to Simcha',
      paragraphs: ['This is your sign-in code:', 'It works once, within a quarter of an hour.'],
      footer: 'You did not ask to sign in? Ignore this mail. Never give the code to anybody.',
    },
  },
};
