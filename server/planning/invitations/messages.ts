import type { LanguageName } from '../../kernel/languages.ts';

/** What the invitation API says. */
export const messages = {
  nobody: {
    he: 'יש לבחור למי לשלוח: רשימת אורחים (guest_ids) או סינון (filter); סינון ריק הוא כל האורחים.',
    ar: 'اختر لمن ترسل: قائمة ضيوف (guest_ids) أو تصفية (filter)؛ التصفية الفارغة تعني جميع الضيوف.',
    en: 'Choose whom to send to: a list of guests (guest_ids) or a filter; an empty filter means all guests.',
  },
  noSuchInvitation: { he: 'המשלוח לא נמצא.', ar: 'لم نجد هذا الإرسال.', en: 'There is no such round.' },
  tooMany: {
    he: 'נשלחו היום כבר 50 משלוחים לאירוע הזה; אפשר להמשיך מחר.',
    ar: 'أُرسلت اليوم 50 دفعة لهذه المناسبة؛ يمكن المتابعة غدًا.',
    en: 'Fifty rounds were sent for this event within a day; go on tomorrow.',
  },
} as const;

interface About {
  name: string;
  title: string;
  date: string;
  place: string;
}

interface MailWords {
  subject(about: About): string;
  hello(about: About): string;
  lines(about: About): string[];
  action: string;
  /** Ends with the address to unsubscribe at. */
  footer(url: string): string;
}

/** What the mails say; warm, short, and to everybody alike. */
export const mailWords: Readonly<
  Record<LanguageName, Readonly<Record<'invitation' | 'reminder', MailWords>>>
> = {
  hebrew: {
    invitation: {
      subject: ({ title }) => `הזמנה: ${title}`,
      hello: ({ name }) => `שלום ${name},`,
      lines: ({ title, date, place }) => [
        `שמחים להזמין אתכם: ${title}.`,
        date && `מתי: ${date}`,
        `איפה: ${place}`,
      ],
      action: 'לפרטים ולאישור הגעה',
      footer: (url) => `ההודעה נשלחה אליכם בשם מארחי האירוע. לא רוצים לקבל עוד? ${url}`,
    },
    reminder: {
      subject: ({ title }) => `תזכורת: ${title}`,
      hello: ({ name }) => `שלום ${name},`,
      lines: ({ title, date, place }) => [
        `עוד לא קיבלנו מכם תשובה: ${title}. נשמח לדעת אם תגיעו.`,
        date && `מתי: ${date}`,
        `איפה: ${place}`,
      ],
      action: 'לאישור הגעה',
      footer: (url) => `ההודעה נשלחה אליכם בשם מארחי האירוע. לא רוצים לקבל עוד? ${url}`,
    },
  },
  arabic: {
    invitation: {
      subject: ({ title }) => `دعوة: ${title}`,
      hello: ({ name }) => `مرحبًا ${name}،`,
      lines: ({ title, date, place }) => [
        `يسعدنا أن ندعوكم إلى: ${title}.`,
        date && `متى: ${date}`,
        `أين: ${place}`,
      ],
      action: 'للتفاصيل وتأكيد الحضور',
      footer: (url) => `أُرسلت إليكم هذه الرسالة باسم أصحاب الدعوة. لا ترغبون في تلقي المزيد؟ ${url}`,
    },
    reminder: {
      subject: ({ title }) => `تذكير: ${title}`,
      hello: ({ name }) => `مرحبًا ${name}،`,
      lines: ({ title, date, place }) => [
        `لم يصلنا ردكم بعد بشأن: ${title}. يسعدنا أن نعرف إن كنتم ستحضرون.`,
        date && `متى: ${date}`,
        `أين: ${place}`,
      ],
      action: 'لتأكيد الحضور',
      footer: (url) => `أُرسلت إليكم هذه الرسالة باسم أصحاب الدعوة. لا ترغبون في تلقي المزيد؟ ${url}`,
    },
  },
  english: {
    invitation: {
      subject: ({ title }) => `Invitation: ${title}`,
      hello: ({ name }) => `Dear ${name},`,
      lines: ({ title, date, place }) => [
        `You are warmly invited to ${title}.`,
        date && `When: ${date}`,
        `Where: ${place}`,
      ],
      action: 'See details and answer',
      footer: (url) => `Sent to you on behalf of the hosts. No more of these? ${url}`,
    },
    reminder: {
      subject: ({ title }) => `Reminder: ${title}`,
      hello: ({ name }) => `Dear ${name},`,
      lines: ({ title, date, place }) => [
        `We have not heard from you yet about ${title}, and would love to know whether you will come.`,
        date && `When: ${date}`,
        `Where: ${place}`,
      ],
      action: 'Answer now',
      footer: (url) => `Sent to you on behalf of the hosts. No more of these? ${url}`,
    },
  },
};
