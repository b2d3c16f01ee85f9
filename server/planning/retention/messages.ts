import type { Language } from '../../kernel/languages.ts';

/** Text that replaces the name of an erased guest. It is not a word, so it needs no translation. */
export const ERASED_NAME = '—';

export const messages = {
  erasedAlready: {
    he: 'פרטי האורחים כבר נמחקו, ואי אפשר עוד לשנות את המועד.',
    ar: 'حُذفت بيانات الضيوف، ولم يعد بالإمكان تغيير الموعد.',
    en: 'The guests’ data has been erased, so the date can’t be changed any more.',
  },
} as const;

interface ErasureNoticeWords {
  subject: (title: string) => string;
  paragraphs: (facts: { title: string; erasedOn: string; guests: string }) => string[];
  action: string;
  footer: string;
}

/** Mail that announces the erasure of guests' data to the organizer, a week ahead. */
export const erasureNoticeWords: Readonly<Record<Language, ErasureNoticeWords>> = {
  he: {
    subject: (title) => `פרטי האורחים של ${title} יימחקו בקרוב`,
    paragraphs: ({ title, erasedOn, guests }) => [
      `ב־${erasedOn} נמחק את הפרטים האישיים של האורחים של ${title} (${guests}), כפי שנקבע: שמות, טלפונים, כתובות מייל והערות. המספרים נשארים.`,
      'אם הפרטים עוד נחוצים לכם, למשל כדי לכתוב תודות, זה הזמן לשמור אותם או לדחות את המועד.',
    ],
    action: 'לאירוע',
    footer: 'נשלח כי אתם מארגני האירוע.',
  },
  ar: {
    subject: (title) => `ستُحذف بيانات ضيوف ${title} قريبًا`,
    paragraphs: ({ title, erasedOn, guests }) => [
      `في ${erasedOn} سنحذف البيانات الشخصية لضيوف ${title} (${guests}) كما تقرّر: الأسماء وأرقام الهواتف وعناوين البريد والملاحظات. أما الأعداد فتبقى.`,
      'إذا كنتم ما زلتم بحاجة إليها، لكتابة رسائل الشكر مثلًا، فهذا هو الوقت لحفظها أو لتأجيل الموعد.',
    ],
    action: 'إلى المناسبة',
    footer: 'وصلتكم هذه الرسالة لأنكم منظّمو المناسبة.',
  },
  en: {
    subject: (title) => `The guests’ details for ${title} will soon be erased`,
    paragraphs: ({ title, erasedOn, guests }) => [
      `On ${erasedOn} we will erase the personal details of the guests of ${title} (${guests}), as set in the event: names, phone numbers, email addresses and notes. The counts stay.`,
      'If you still need the details, for example to write thank-you notes, save them now or postpone the date.',
    ],
    action: 'Open the event',
    footer: 'You received this mail because you organize the event.',
  },
};
