import type { LanguageName } from '../../kernel/languages.ts';

/**
 * Texts of the mail by which people confirm a request made through the open link, and of the pages before and after the
 * mail.
 */
interface ConfirmationWords {
  /** Notice on the page after a request was sent: a mail with a link to confirm it is on its way. */
  sent: string;
  title: string;
  /** Question on the page to which the mail links: should the request be sent? */
  ask: string;
  confirm: string;
  subject(title: string): string;
  lines(name: string, title: string): string[];
  footer: string;
}

export const confirmationWords: Readonly<Record<LanguageName, ConfirmationWords>> = {
  hebrew: {
    sent: 'כמעט סיימנו! שלחנו אליכם מייל: פתחו את הקישור שבו בתוך 6 שעות, והבקשה תגיע למארחים.',
    title: 'אישור הבקשה',
    ask: 'לשלוח את הבקשה שלכם למארחים?',
    confirm: 'כן, לשלוח',
    subject: (title) => `אישור הבקשה להגיע: ${title}`,
    lines: (name, title) => [
      `שלום ${name},`,
      `ביקשתם להגיע לאירוע ”${title}“. כדי שהבקשה תגיע למארחים, אשרו שהכתובת הזאת שלכם.`,
      'הקישור תקף ל־6 שעות.',
    ],
    footer: 'לא ביקשתם? אין צורך לעשות דבר, והבקשה תימחק.',
  },
  arabic: {
    sent: 'أوشكنا! أرسلنا إليكم رسالة: افتحوا الرابط فيها خلال 6 ساعات، فيصل طلبكم إلى أصحاب الدعوة.',
    title: 'تأكيد الطلب',
    ask: 'هل نرسل طلبكم إلى أصحاب الدعوة؟',
    confirm: 'نعم، أرسلوه',
    subject: (title) => `تأكيد طلب الحضور: ${title}`,
    lines: (name, title) => [
      `مرحبًا ${name}،`,
      `طلبتم الحضور إلى «${title}». ليصل الطلب إلى أصحاب الدعوة، أكّدوا أن هذا العنوان لكم.`,
      'الرابط صالح لمدة 6 ساعات.',
    ],
    footer: 'لم تطلبوا ذلك؟ لا داعي لفعل شيء، وسيُحذف الطلب.',
  },
  english: {
    sent: 'Almost done! We have sent you an email. Open the link in it within 6 hours, and your request goes to the hosts.',
    title: 'Confirm your request',
    ask: 'Send your request to the hosts?',
    confirm: 'Yes, send it',
    subject: (title) => `Confirm your request to come: ${title}`,
    lines: (name, title) => [
      `Hello ${name},`,
      `You asked to come to “${title}”. For your request to reach the hosts, please confirm that this address is yours.`,
      'The link is valid for 6 hours.',
    ],
    footer: 'Wasn’t it you? You don’t need to do anything; the request will be deleted.',
  },
};
