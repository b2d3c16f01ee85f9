import type { Language, Words } from '../languages.ts';

/** Why a mail was refused, as it is stored; no address and no text of the mail stands in it. */
export type MailProblem =
  /** The mail server's answer, and the step it answered. */
  | { code: 'refused'; status: number; step: string | null }
  /** It could not be reached, or had no place, for as long as there are tries. */
  | { code: 'away' }
  /** It was withdrawn while the mail server was being asked. */
  | { code: 'withdrawn' };

/** Of an unknown code (another version of the server may have stored it) the code itself. */
export function sayProblem(problem: MailProblem, language: Language): string {
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
    default:
      return undefined;
  }
}

/** The words of the page that shows mail to developers. */
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
