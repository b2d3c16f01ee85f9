import { addHebrewPrefix } from '../../kernel/hebrew.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { englishSalutation } from '../guests/people-words.ts';
import type { RoundKind } from './kinds.ts';

export interface LetterFacts {
  title: string;
  hosts: string | null;
  /** Date of the event as text; '' if the event has no date. */
  date: string;
  place: string;
  /**
   * Date of the event in the guest's last message, if it is wrong by now; '' if it is still right. `formerPlace` is the
   * same for the place.
   */
  formerDate: string;
  formerPlace: string;
  /** Sentence about the number of people who come; '' if the guest does not come. */
  coming: string;
  /** Number of days until the event; undefined if the event has no date. */
  daysLeft: number | undefined;
  /** True if the guest is on the event's waiting list. */
  waiting: boolean;
  /** True if the guest answered that they may come. */
  maybe: boolean;
  /** True if the guest answered that they don't come. */
  declined: boolean;
  /** Lines about the meals in the guest's answer; empty in letters that don't confirm an answer. */
  meals: readonly string[];
  /** True if people register for the event instead of being invited. */
  registers: boolean;
  /** True if the deadline for answers has passed, so that the guest's page takes none. */
  closed: boolean;
}

export interface LetterWords {
  subject(about: LetterFacts): string;
  /** Lines of text in the message to a guest; empty lines are left out. */
  lines(about: LetterFacts): string[];
  /** Label of the button that leads to the guest's page; undefined if the guest has nothing to do there. */
  action?: string;
  /** Label that replaces `action` on the button if people register for the event. */
  toRegister?: string;
  /** Label that replaces `action` on the button if the guest's page takes no answers. */
  whenClosed?: string;
}

export function actionOf(
  { action, toRegister, whenClosed }: Pick<LetterWords, 'action' | 'toRegister' | 'whenClosed'>,
  { registers, closed }: Pick<LetterFacts, 'registers' | 'closed'>,
): string | undefined {
  return (closed && whenClosed) || (registers && toRegister) || action;
}

export interface LetterFoot {
  hello(name: string): string;
  because(hosts: string | null, about?: Pick<LetterFacts, 'registers'>): string;
  unsubscribe: string;
}

export const letterFoot: Readonly<Record<LanguageName, LetterFoot>> = {
  hebrew: {
    hello: (name) => `שלום ${name},`,
    because: (hosts, about) =>
      `ההודעה נשלחה אליכם בשם ${hosts ?? (about?.registers ? 'מארגני האירוע' : 'מארחי האירוע')}`,
    unsubscribe: 'הסרה מרשימת הדיוור',
  },
  arabic: {
    hello: (name) => `مرحبًا ${name}،`,
    because: (hosts, about) =>
      `أُرسلت إليكم هذه الرسالة باسم ${hosts ?? (about?.registers ? 'فريق التنظيم' : 'أصحاب الدعوة')}`,
    unsubscribe: 'إلغاء الاشتراك',
  },
  english: {
    hello: (name) => `${englishSalutation(name)},`,
    because: (hosts, about) =>
      `Sent to you on behalf of ${hosts ?? (about?.registers ? 'the organizers' : 'the hosts')}`,
    unsubscribe: 'Unsubscribe',
  },
};

const hebrewWhenAndWhere = ({ date, place }: LetterFacts) => [date && `מתי: ${date}`, `איפה: ${place}`];

const hebrewChange = ({ date, place, formerDate, formerPlace, closed }: LetterFacts) => [
  date && (formerDate ? `המועד החדש: ${date}\n(במקום ${formerDate})` : `מתי: ${date}`),
  formerPlace ? `המקום החדש: ${place}\n(במקום ${formerPlace})` : `איפה: ${place}`,
  closed ? '' : 'אם התשובה שלכם השתנתה, אפשר לעדכן אותה.',
];

const hebrew: Readonly<Record<RoundKind, LetterWords>> = {
  save_the_date: {
    subject: ({ title }) => `שמרו את התאריך: ${title}`,
    lines: (about) => [
      `שמרו לנו את התאריך: ${about.title}.`,
      ...hebrewWhenAndWhere(about),
      about.registers ? 'ההרשמה תיפתח בהמשך.' : 'הזמנה מסודרת תגיע בהמשך.',
    ],
    action: 'לפרטים',
  },
  invitation: {
    subject: ({ title, registers }) => `${registers ? 'הרשמה' : 'הזמנה'}: ${title}`,
    lines: (about) => [
      `${about.registers ? 'מזמינים אתכם להירשם' : 'שמחים להזמין אתכם'}: ${about.title}.`,
      ...hebrewWhenAndWhere(about),
    ],
    action: 'לפרטים ולאישור הגעה',
    toRegister: 'לפרטים ולהרשמה',
  },
  reminder: {
    subject: ({ title }) => `תזכורת: ${title}`,
    lines: (about) => [
      about.maybe
        ? `עניתם שעוד לא ידוע אם תגיעו: ${about.title}. נשמח לשמוע אם כבר החלטתם.`
        : `${about.registers ? 'עוד לא נרשמתם' : 'עוד לא קיבלנו מכם תשובה'}: ${about.title}. נשמח לדעת אם תגיעו.`,
      ...hebrewWhenAndWhere(about),
    ],
    action: 'לאישור הגעה',
    toRegister: 'להרשמה',
  },
  change: {
    subject: ({ title }) => `עדכון חשוב: ${title}`,
    lines: (about) => [`פרטי האירוע השתנו: ${about.title}.`, ...hebrewChange(about)],
    action: 'לפרטים ולעדכון התשובה',
    whenClosed: 'לפרטים',
  },
  cancellation: {
    subject: ({ title }) => `האירוע בוטל: ${title}`,
    lines: ({ title, date }) => [
      `לצערנו האירוע בוטל: ${title}.`,
      date && `המועד שנקבע: ${date}`,
      'תודה על ההבנה.',
    ],
  },
  see_you: {
    subject: ({ title, daysLeft }) =>
      `${daysLeft === 0 ? 'נתראה היום' : daysLeft === 1 ? 'נתראה מחר' : 'נתראה בקרוב'}: ${title}`,
    lines: (about) => [
      `${about.daysLeft === 0 ? 'מחכים לכם היום' : about.daysLeft === 1 ? 'מחכים לכם מחר' : 'מחכים לכם'}: ${about.title}.`,
      about.coming,
      ...hebrewWhenAndWhere(about),
      'אם בכל זאת לא תוכלו להגיע, נשמח שתעדכנו.',
    ],
    action: 'לפרטים ולניווט',
  },
  thanks: {
    subject: ({ title }) => `תודה שהייתם איתנו: ${title}`,
    lines: () => ['תודה שהייתם איתנו! שמחנו מאוד לראות אתכם.'],
  },
  message: {
    subject: ({ title, hosts }) =>
      hosts ? `הודעה ${addHebrewPrefix('מ', hosts)}: ${title}` : `הודעה לאורחים: ${title}`,
    lines: () => [],
    action: 'לעמוד ההזמנה',
    toRegister: 'לעמוד האירוע',
  },
  moved_up: {
    subject: ({ title }) => `התפנה לכם מקום: ${title}`,
    lines: (about) => [
      `יש לכם מקום: ${about.title}. אתם כבר לא ברשימת ההמתנה, ונשמח לראות אתכם!`,
      about.coming,
      ...hebrewWhenAndWhere(about),
      'אם בכל זאת לא תוכלו להגיע, נשמח שתעדכנו ומישהו אחר יוכל לבוא.',
    ],
    action: 'לפרטים ולעדכון התשובה',
    whenClosed: 'לפרטים',
  },
  accepted: {
    subject: ({ title, waiting, registers }) =>
      `${waiting ? 'אתם ברשימת ההמתנה' : registers ? 'ההרשמה שלכם התקבלה' : 'הבקשה שלכם אושרה'}: ${title}`,
    lines: (about) => [
      about.waiting
        ? `${about.registers ? 'קיבלנו את ההרשמה שלכם' : 'המארחים ישמחו לראות אתכם'}: ${about.title}. כרגע אין מקום פנוי, ואתם ברשימת ההמתנה; נכתוב לכם כשיתפנה.`
        : `${about.registers ? 'אתם רשומים' : 'המארחים אישרו את הבקשה שלכם'}: ${about.title}. נשמח לראות אתכם!`,
      about.coming,
      ...hebrewWhenAndWhere(about),
    ],
    action: 'לפרטים ולעדכון התשובה',
    whenClosed: 'לפרטים',
  },
};

const arabicWhenAndWhere = ({ date, place }: LetterFacts) => [date && `متى: ${date}`, `أين: ${place}`];

const arabicChange = ({ date, place, formerDate, formerPlace, closed }: LetterFacts) => [
  date && (formerDate ? `الموعد الجديد: ${date}\n(بدلًا من ${formerDate})` : `متى: ${date}`),
  formerPlace ? `المكان الجديد: ${place}\n(بدلًا من ${formerPlace})` : `أين: ${place}`,
  closed ? '' : 'إذا تغيّر ردكم، فيمكنكم تحديثه.',
];

const arabic: Readonly<Record<RoundKind, LetterWords>> = {
  save_the_date: {
    subject: ({ title }) => `احفظوا الموعد: ${title}`,
    lines: (about) => [
      `احفظوا لنا هذا الموعد: ${about.title}.`,
      ...arabicWhenAndWhere(about),
      about.registers ? 'سيُفتح التسجيل لاحقًا.' : 'ستصلكم الدعوة لاحقًا.',
    ],
    action: 'للتفاصيل',
  },
  invitation: {
    subject: ({ title, registers }) => `${registers ? 'التسجيل' : 'دعوة'}: ${title}`,
    lines: (about) => [
      `${about.registers ? 'ندعوكم إلى التسجيل في' : 'يسعدنا أن ندعوكم إلى'}: ${about.title}.`,
      ...arabicWhenAndWhere(about),
    ],
    action: 'للتفاصيل وتأكيد الحضور',
    toRegister: 'للتفاصيل والتسجيل',
  },
  reminder: {
    subject: ({ title }) => `تذكير: ${title}`,
    lines: (about) => [
      about.maybe
        ? `أجبتم بأنكم لا تعرفون بعد إن كنتم ستحضرون: ${about.title}. يسعدنا أن نعرف إن كنتم قد قررتم.`
        : `${about.registers ? 'لم تسجّلوا بعد' : 'لم يصلنا ردكم بعد'}: ${about.title}. يسعدنا أن نعرف إن كنتم ستحضرون.`,
      ...arabicWhenAndWhere(about),
    ],
    action: 'لتأكيد الحضور',
    toRegister: 'للتسجيل',
  },
  change: {
    subject: ({ title }) => `تحديث مهم: ${title}`,
    lines: (about) => [`تغيّرت تفاصيل المناسبة: ${about.title}.`, ...arabicChange(about)],
    action: 'للتفاصيل وتحديث الرد',
    whenClosed: 'للتفاصيل',
  },
  cancellation: {
    subject: ({ title }) => `أُلغيت المناسبة: ${title}`,
    lines: ({ title, date }) => [
      `نأسف لإبلاغكم بإلغاء المناسبة: ${title}.`,
      date && `الموعد الذي كان مقررًا: ${date}`,
      'شكرًا لتفهمكم.',
    ],
  },
  see_you: {
    subject: ({ title, daysLeft }) =>
      `${daysLeft === 0 ? 'نراكم اليوم' : daysLeft === 1 ? 'نراكم غدًا' : 'نراكم قريبًا'}: ${title}`,
    lines: (about) => [
      `${about.daysLeft === 0 ? 'ننتظركم اليوم' : about.daysLeft === 1 ? 'ننتظركم غدًا' : 'ننتظركم'}: ${about.title}.`,
      about.coming,
      ...arabicWhenAndWhere(about),
      'إذا تعذّر عليكم الحضور، فيسعدنا أن تخبرونا.',
    ],
    action: 'للتفاصيل والوصول',
  },
  thanks: {
    subject: ({ title }) => `شكرًا لحضوركم: ${title}`,
    lines: () => ['شكرًا لحضوركم! سُعدنا جدًا بوجودكم معنا.'],
  },
  message: {
    subject: ({ title, hosts }) => (hosts ? `رسالة من ${hosts}: ${title}` : `رسالة إلى الضيوف: ${title}`),
    lines: () => [],
    action: 'إلى صفحة الدعوة',
    toRegister: 'إلى صفحة المناسبة',
  },
  moved_up: {
    subject: ({ title }) => `أصبح لكم مكان: ${title}`,
    lines: (about) => [
      `أصبح لكم مكان: ${about.title}. لم تعودوا في قائمة الانتظار، ويسعدنا أن نراكم!`,
      about.coming,
      ...arabicWhenAndWhere(about),
      'إذا تعذّر عليكم الحضور، فيسعدنا أن تخبرونا ليتمكن غيركم من الحضور.',
    ],
    action: 'للتفاصيل وتحديث الرد',
    whenClosed: 'للتفاصيل',
  },
  accepted: {
    subject: ({ title, waiting, registers }) =>
      `${waiting ? 'أنتم في قائمة الانتظار' : registers ? 'استلمنا تسجيلكم' : 'قُبل طلبكم'}: ${title}`,
    lines: (about) => [
      about.waiting
        ? `${about.registers ? 'استلمنا تسجيلكم' : 'يسعد أصحاب الدعوة أن يروكم'}: ${about.title}. لا يوجد مكان حاليًا، وأنتم في قائمة الانتظار؛ سنكتب إليكم عندما يتوفر.`
        : `${about.registers ? 'تم تسجيلكم' : 'قبِل أصحاب الدعوة طلبكم'}: ${about.title}. يسعدنا أن نراكم!`,
      about.coming,
      ...arabicWhenAndWhere(about),
    ],
    action: 'للتفاصيل وتحديث الرد',
    whenClosed: 'للتفاصيل',
  },
};

const englishWhenAndWhere = ({ date, place }: LetterFacts) => [date && `When: ${date}`, `Where: ${place}`];

const englishChange = ({ date, place, formerDate, formerPlace, closed }: LetterFacts) => [
  date && (formerDate ? `The new date: ${date}\n(instead of ${formerDate})` : `When: ${date}`),
  formerPlace ? `The new place: ${place}\n(instead of ${formerPlace})` : `Where: ${place}`,
  closed ? '' : 'If your answer has changed, you can update it.',
];

const english: Readonly<Record<RoundKind, LetterWords>> = {
  save_the_date: {
    subject: ({ title }) => `Save the date: ${title}`,
    lines: (about) => [
      `Please keep the date free for ${about.title}.`,
      ...englishWhenAndWhere(about),
      about.registers ? 'Registration will open later.' : 'The invitation will follow.',
    ],
    action: 'See details',
  },
  invitation: {
    subject: ({ title, registers }) => `${registers ? 'Registration' : 'Invitation'}: ${title}`,
    lines: (about) => [
      `You are ${about.registers ? 'invited to register for' : 'warmly invited to'} ${about.title}.`,
      ...englishWhenAndWhere(about),
    ],
    action: 'See details and answer',
    toRegister: 'See details and register',
  },
  reminder: {
    subject: ({ title }) => `Reminder: ${title}`,
    lines: (about) => [
      about.maybe
        ? `You answered that you don’t know yet whether you can come to ${about.title}. Have you decided by now?`
        : `${about.registers ? 'You have not registered yet for' : 'We have not heard from you yet about'} ${about.title}, and would love to know whether you will come.`,
      ...englishWhenAndWhere(about),
    ],
    action: 'Answer now',
    toRegister: 'Register now',
  },
  change: {
    subject: ({ title }) => `Please note a change: ${title}`,
    lines: (about) => [`The details of ${about.title} have changed.`, ...englishChange(about)],
    action: 'Details and your answer',
    whenClosed: 'See details',
  },
  cancellation: {
    subject: ({ title }) => `Cancelled: ${title}`,
    lines: ({ title, date }) => [
      `We are sorry to tell you that ${title} has been cancelled.`,
      date && `It was to be on ${date}.`,
      'Thank you for understanding.',
    ],
  },
  see_you: {
    subject: ({ title, daysLeft }) =>
      `${daysLeft === 0 ? 'See you today' : daysLeft === 1 ? 'See you tomorrow' : 'See you soon'}: ${title}`,
    lines: (about) => [
      `We look forward to seeing you${about.daysLeft === 0 ? ' today' : about.daysLeft === 1 ? ' tomorrow' : ''} at ${about.title}.`,
      about.coming,
      ...englishWhenAndWhere(about),
      'If you can’t make it after all, please let us know.',
    ],
    action: 'Details and directions',
  },
  thanks: {
    subject: ({ title }) => `Thank you for being with us: ${title}`,
    lines: () => ['Thank you for being with us! It was a joy to have you.'],
  },
  message: {
    subject: ({ title, hosts }) =>
      hosts ? `A message from ${hosts}: ${title}` : `A message to guests: ${title}`,
    lines: () => [],
    action: 'Open your invitation',
    toRegister: 'Open the event’s page',
  },
  moved_up: {
    subject: ({ title }) => `There is a place for you: ${title}`,
    lines: (about) => [
      `There is a place for you at ${about.title}. You are off the waiting list, and we look forward to seeing you!`,
      about.coming,
      ...englishWhenAndWhere(about),
      'If you can’t make it after all, please let us know, so that somebody else can come.',
    ],
    action: 'Details and your answer',
    whenClosed: 'See details',
  },
  accepted: {
    subject: ({ title, waiting, registers }) =>
      `${waiting ? 'You are on the waiting list' : registers ? 'We have your registration' : 'Your request was accepted'}: ${title}`,
    lines: (about) => [
      about.waiting
        ? `${about.registers ? 'We have your registration for' : 'The hosts would love to have you at'} ${about.title}. There is no place left right now, and you are on the waiting list; we will write as soon as there is one.`
        : `${about.registers ? 'You are registered' : 'The hosts have accepted your request'}: ${about.title}. We look forward to seeing you!`,
      about.coming,
      ...englishWhenAndWhere(about),
    ],
    action: 'Details and your answer',
    whenClosed: 'See details',
  },
};

/** Texts of the messages to guests: warm, short, and neutral in gender and number. */
export const letterWords: Readonly<Record<LanguageName, Readonly<Record<RoundKind, LetterWords>>>> = {
  hebrew,
  arabic,
  english,
};

/** Lines about the event's time and place in a letter, as they are. */
export const whenAndWhere = {
  hebrew: hebrewWhenAndWhere,
  arabic: arabicWhenAndWhere,
  english: englishWhenAndWhere,
} as const satisfies Record<LanguageName, LetterWords['lines']>;

/** Lines about the event's new time and place, each with the former one that the guest knows. */
export const changedWhenAndWhere = {
  hebrew: hebrewChange,
  arabic: arabicChange,
  english: englishChange,
} as const satisfies Record<LanguageName, LetterWords['lines']>;

/** Texts of the mail that declines a person's request to come. */
export const declinedWords: Readonly<
  Record<LanguageName, { subject(title: string): string; lines(title: string): string[] }>
> = {
  hebrew: {
    subject: (title) => `לגבי הבקשה שלכם: ${title}`,
    lines: (title) => [`תודה שביקשתם להגיע: ${title}.`, 'לצערנו לא נוכל לארח אתכם הפעם. תודה על ההבנה.'],
  },
  arabic: {
    subject: (title) => `بخصوص طلبكم: ${title}`,
    lines: (title) => [
      `شكرًا لطلبكم الحضور: ${title}.`,
      'نعتذر، لن نتمكن من استضافتكم هذه المرة. شكرًا لتفهمكم.',
    ],
  },
  english: {
    subject: (title) => `About your request: ${title}`,
    lines: (title) => [
      `Thank you for asking to come to ${title}.`,
      'We are sorry that we can’t have you this time. Thank you for understanding.',
    ],
  },
};
