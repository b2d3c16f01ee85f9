import type { LanguageName } from '../../kernel/languages.ts';
import { CONFIRMATIONS } from './open-link-limits.ts';

/**
 * Texts of the mail by which people confirm a request made through the open link, and of the pages before and after the
 * mail.
 */
interface ConfirmationWords {
  /** Notice on the page after a request was sent: a mail with a link to confirm it is on its way. */
  sent: string;
  title: string;
  /** Question on the page that the mail links to. The name and the number of people follow. */
  ask: string;
  confirm: string;
  subject(title: string): string;
  lines(name: string, title: string): string[];
  footer: string;
}

/**
 * Words for a request that the hosts decide about, or, if the open link accepts people automatically, for a
 * registration.
 */
export function confirmationWordsFor(
  { accept_by_itself }: { accept_by_itself: boolean },
  language: LanguageName,
): ConfirmationWords {
  return (accept_by_itself ? registrationWords : requestWords)[language];
}

const { hours } = CONFIRMATIONS;

const requestWords: Readonly<Record<LanguageName, ConfirmationWords>> = {
  hebrew: {
    sent: `כמעט סיימנו! שלחנו אליכם מייל: פתחו את הקישור שבו בתוך ${hours} שעות, והבקשה תגיע למארחים.`,
    title: 'אישור הבקשה',
    ask: 'לשלוח את הבקשה שלכם למארחים?',
    confirm: 'כן, לשלוח',
    subject: (title) => `אישור הבקשה להגיע: ${title}`,
    lines: (name, title) => [
      `שלום ${name},`,
      `ביקשתם להגיע לאירוע ”${title}“. כדי שהבקשה תגיע למארחים, אשרו שהכתובת הזאת שלכם.`,
      `הקישור תקף ל־${hours} שעות.`,
    ],
    footer: 'לא ביקשתם? אין צורך לעשות דבר, והבקשה תימחק.',
  },
  arabic: {
    sent: `أوشكنا! أرسلنا إليكم رسالة: افتحوا الرابط فيها خلال ${hours} ساعات، فيصل طلبكم إلى أصحاب الدعوة.`,
    title: 'تأكيد الطلب',
    ask: 'هل نرسل طلبكم إلى أصحاب الدعوة؟',
    confirm: 'نعم، أرسلوه',
    subject: (title) => `تأكيد طلب الحضور: ${title}`,
    lines: (name, title) => [
      `مرحبًا ${name}،`,
      `طلبتم الحضور إلى «${title}». ليصل الطلب إلى أصحاب الدعوة، أكّدوا أن هذا العنوان لكم.`,
      `الرابط صالح لمدة ${hours} ساعات.`,
    ],
    footer: 'لم تطلبوا ذلك؟ لا داعي لفعل شيء، وسيُحذف الطلب.',
  },
  english: {
    sent: `Almost done! We have sent you an email. Open the link in it within ${hours} hours, and your request goes to the hosts.`,
    title: 'Confirm your request',
    ask: 'Send your request to the hosts?',
    confirm: 'Yes, send it',
    subject: (title) => `Confirm your request to come: ${title}`,
    lines: (name, title) => [
      `Hello ${name},`,
      `You asked to come to “${title}”. For your request to reach the hosts, please confirm that this address is yours.`,
      `The link is valid for ${hours} hours.`,
    ],
    footer: 'Wasn’t it you? You don’t need to do anything; the request will be deleted.',
  },
};

const registrationWords: Readonly<Record<LanguageName, ConfirmationWords>> = {
  hebrew: {
    sent: `כמעט סיימנו! שלחנו אליכם מייל: פתחו את הקישור שבו בתוך ${hours} שעות. עד אז ההרשמה שמורה לכם.`,
    title: 'אישור ההרשמה',
    ask: 'לאשר את ההרשמה?',
    confirm: 'כן, לאשר',
    subject: (title) => `אישור ההרשמה: ${title}`,
    lines: (name, title) => [
      `שלום ${name},`,
      `נרשמתם לאירוע ”${title}“. כדי להשלים את ההרשמה, אשרו שהכתובת הזאת שלכם.`,
      `ההרשמה שמורה לכם ל־${hours} שעות. אחריהן המקום יעבור לבאים בתור.`,
    ],
    footer: 'לא נרשמתם? אין צורך לעשות דבר, וההרשמה תימחק.',
  },
  arabic: {
    sent: `أوشكنا! أرسلنا إليكم رسالة: افتحوا الرابط فيها خلال ${hours} ساعات. تسجيلكم محفوظ حتى ذلك الوقت.`,
    title: 'تأكيد التسجيل',
    ask: 'هل تؤكدون التسجيل؟',
    confirm: 'نعم، نؤكد',
    subject: (title) => `تأكيد التسجيل: ${title}`,
    lines: (name, title) => [
      `مرحبًا ${name}،`,
      `سجّلتم للحضور إلى «${title}». لإتمام التسجيل، أكّدوا أن هذا العنوان لكم.`,
      `تسجيلكم محفوظ لمدة ${hours} ساعات، وبعدها ينتقل المكان إلى من يليكم.`,
    ],
    footer: 'لم تسجّلوا؟ لا داعي لفعل شيء، وسيُحذف التسجيل.',
  },
  english: {
    sent: `Almost done! We have sent you an email. Open the link in it within ${hours} hours; your registration is kept until then.`,
    title: 'Confirm your registration',
    ask: 'Confirm your registration?',
    confirm: 'Yes, confirm',
    subject: (title) => `Confirm your registration: ${title}`,
    lines: (name, title) => [
      `Hello ${name},`,
      `You registered for “${title}”. To complete your registration, please confirm that this address is yours.`,
      `Your registration is kept for ${hours} hours; after that the place goes to the next in turn.`,
    ],
    footer: 'Wasn’t it you? You don’t need to do anything; the registration will be deleted.',
  },
};
