import type { Language, Words } from '../languages.ts';

/** Stored reason why a text message did not arrive; it contains neither a phone number nor the words of the message. */
export type TextProblem =
  /** Carrier refused the text message. `answer` is the carrier's own code, otherwise the HTTP status. */
  | { code: 'refused' | 'unreachable' | 'opted_out' | 'template'; answer: number | null }
  /** Carrier could not be reached, or accepted nothing, until the last try. */
  | { code: 'away' }
  /** Carrier got the request to send the text message, but its response was lost. */
  | { code: 'no_answer' }
  /** Text message was withdrawn while it was being handed to the carrier. */
  | { code: 'withdrawn' };

/**
 * Text of a problem with a text message. An unknown code, which another version of the server may have stored, is its
 * own text.
 */
export function textProblemText(problem: TextProblem, language: Language): string {
  const words = WORDS[problem.code]?.[language] ?? problem.code;
  return 'answer' in problem && problem.answer !== null ? `${words} (${problem.answer})` : words;
}

const WORDS: Readonly<Record<TextProblem['code'], Words>> = {
  refused: {
    he: 'ספק ההודעות דחה את ההודעה',
    ar: 'رفض مزوّد الرسائل الرسالة',
    en: 'the carrier refused the message',
  },
  unreachable: {
    he: 'אי אפשר להגיע למספר הזה',
    ar: 'لا يمكن الوصول إلى هذا الرقم',
    en: 'the number can’t be reached',
  },
  opted_out: {
    he: 'ביקשו לא לקבל הודעות',
    ar: 'طُلب عدم تلقي الرسائل',
    en: 'the recipient has opted out of messages',
  },
  template: {
    he: 'תבנית ההודעה לא אושרה עדיין ב־WhatsApp',
    ar: 'لم يُعتمد قالب الرسالة بعد في WhatsApp',
    en: 'the template of the message is not approved by WhatsApp',
  },
  away: {
    he: 'ספק ההודעות לא היה זמין',
    ar: 'كان مزوّد الرسائل غير متاح',
    en: 'the carrier was unavailable',
  },
  no_answer: {
    he: 'לא ידוע אם ההודעה נשלחה; היא לא תישלח פעם נוספת',
    ar: 'لا يُعرف إن أُرسلت الرسالة؛ ولن تُرسل مرة أخرى',
    en: 'it is not known whether the message was sent; it will not be sent again',
  },
  withdrawn: {
    he: 'ההודעה בוטלה כשכבר הייתה בדרך; לא ידוע אם הגיעה, והיא לא תישלח שוב',
    ar: 'سُحبت الرسالة وهي في طريقها؛ لا يُعرف إن وصلت، ولن تُرسل مرة أخرى',
    en: 'the message was withdrawn while it was being sent; it may have arrived, and it will not be sent again',
  },
};

export const closedWords: Words = {
  he: 'דרך השליחה הזאת לא הוגדרה בשרת; פנו למי שמפעיל אותו.',
  ar: 'طريقة الإرسال هذه غير مُعدّة على الخادم؛ تواصلوا مع من يشغّله.',
  en: 'This channel is not set up on the server; contact its operator.',
};
