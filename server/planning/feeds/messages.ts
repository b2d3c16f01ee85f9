import { addHebrewPrefix } from '../../kernel/hebrew.ts';
import type { Language, Words } from '../../kernel/languages.ts';

/** Texts of the calendar feed API. */
export const messages = {
  noFeed: {
    he: 'אין כאן יומן. אולי הכתובת הוחלפה.',
    ar: 'لا يوجد تقويم هنا. ربما تغيّر العنوان.',
    en: 'There is no calendar at this address. It may have been changed.',
  } satisfies Words,
};

interface FeedWords {
  name: string;
  /** Title, in the calendar feed, of an event that is still a draft. */
  draft: (title: string) => string;
  payment: (vendor: string, amount: string) => string;
  /** Title of the calendar entry on the day when an approval for the event is due. */
  approval: (title: string) => string;
}

export const feedWords: Readonly<Record<Language, FeedWords>> = {
  he: {
    name: 'שמחה: האירועים שלי',
    draft: (title) => `${title} (טיוטה)`,
    payment: (vendor, amount) => `תשלום ${addHebrewPrefix('ל', vendor)}: ${amount} ₪`,
    approval: (title) => `מועד אחרון: ${title}`,
  },
  ar: {
    name: 'سمحا: مناسباتي',
    draft: (title) => `${title} (مسودة)`,
    payment: (vendor, amount) => `دفعة إلى ${vendor}: ${amount} ₪`,
    approval: (title) => `الموعد الأخير: ${title}`,
  },
  en: {
    name: 'Simcha: my events',
    draft: (title) => `${title} (draft)`,
    payment: (vendor, amount) => `Payment to ${vendor}: ₪${amount}`,
    approval: (title) => `Due: ${title}`,
  },
};
