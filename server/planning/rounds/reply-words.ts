import type { LanguageName } from '../../kernel/languages.ts';
import type { LetterKind, ReplyKind } from './kinds.ts';
import {
  changedWhenAndWhere,
  type LetterFacts,
  type LetterWords,
  letterWords,
  whenAndWhere,
} from './letter-words.ts';

type ReplyWords = Readonly<Record<ReplyKind, LetterWords>>;

/**
 * Lines about the event's time and place in the confirmation of an answer. `changed` says that the guest answered about
 * a former time or place.
 */
function timeAndPlaceLines(about: LetterFacts, language: LanguageName, changed: string): string[] {
  if (about.declined) return [];
  return about.formerDate || about.formerPlace
    ? [changed, ...changedWhenAndWhere[language](about)]
    : whenAndWhere[language](about);
}

const hebrew: ReplyWords = {
  answered: {
    subject: ({ title }) => `קיבלנו את התשובה שלכם: ${title}`,
    lines: (about) => [
      hebrewAnswer(about),
      about.coming,
      ...about.meals,
      ...timeAndPlaceLines(about, 'hebrew', 'פרטי האירוע השתנו אחרי שעניתם.'),
    ],
    action: 'לפרטים ולעדכון התשובה',
  },
  link_again: {
    subject: ({ title }) => `הקישור האישי שלכם: ${title}`,
    lines: ({ title }) => [
      `מישהו מילא את הטופס של האירוע עם הכתובת הזאת, והיא כבר ברשימה: ${title}. בקישור האישי אפשר לראות את התשובה שלכם ולעדכן אותה.`,
      'כדי לצרף אדם אחר, מלאו את הטופס עם כתובת אחרת. לא אתם מילאתם? אין צורך לעשות דבר.',
    ],
    action: 'לקישור האישי',
  },
};

function hebrewAnswer({ title, waiting, maybe, declined, registers }: LetterFacts): string {
  if (waiting)
    return `קיבלנו את התשובה שלכם: ${title}. כרגע אין מקום פנוי, ואתם ברשימת ההמתנה; נכתוב לכם כשיתפנה.`;
  if (declined) return `רשמנו שלא תוכלו להגיע: ${title}. תודה שעדכנתם.`;
  if (maybe) return `רשמנו שעוד לא ידוע אם תגיעו: ${title}. כשתדעו, נשמח לעדכון.`;
  return `${registers ? 'אתם רשומים' : 'תודה על התשובה'}: ${title}. נשמח לראות אתכם!`;
}

const arabic: ReplyWords = {
  answered: {
    subject: ({ title }) => `استلمنا ردكم: ${title}`,
    lines: (about) => [
      arabicAnswer(about),
      about.coming,
      ...about.meals,
      ...timeAndPlaceLines(about, 'arabic', 'تغيّرت تفاصيل المناسبة بعد ردكم.'),
    ],
    action: 'للتفاصيل وتحديث الرد',
  },
  link_again: {
    subject: ({ title }) => `رابطكم الشخصي: ${title}`,
    lines: ({ title }) => [
      `مُلئ نموذج المناسبة بهذا العنوان، وهو في القائمة من قبل: ${title}. في رابطكم الشخصي يمكنكم رؤية ردكم وتحديثه.`,
      'لإضافة شخص آخر، املؤوا النموذج بعنوان آخر. لم تملؤوا النموذج؟ لا داعي لفعل شيء.',
    ],
    action: 'إلى الرابط الشخصي',
  },
};

function arabicAnswer({ title, waiting, maybe, declined, registers }: LetterFacts): string {
  if (waiting)
    return `استلمنا ردكم: ${title}. لا يوجد مكان حاليًا، وأنتم في قائمة الانتظار؛ سنكتب إليكم عندما يتوفر.`;
  if (declined) return `سجّلنا أنكم لن تتمكنوا من الحضور: ${title}. شكرًا لإبلاغنا.`;
  if (maybe) return `سجّلنا أنكم لا تعرفون بعد إن كنتم ستحضرون: ${title}. يسعدنا أن تخبرونا عندما تعرفون.`;
  return `${registers ? 'تم تسجيلكم' : 'شكرًا لردكم'}: ${title}. يسعدنا أن نراكم!`;
}

const english: ReplyWords = {
  answered: {
    subject: ({ title }) => `We have your answer: ${title}`,
    lines: (about) => [
      englishAnswer(about),
      about.coming,
      ...about.meals,
      ...timeAndPlaceLines(about, 'english', 'The details have changed since you answered.'),
    ],
    action: 'Details and your answer',
  },
  link_again: {
    subject: ({ title }) => `Your personal link: ${title}`,
    lines: ({ title }) => [
      `Somebody filled in the form of this event with your address, which is on the list already: ${title}. Your personal link shows your answer, and you can change it there.`,
      'To add another person, fill in the form with another address. Wasn’t it you? You don’t need to do anything.',
    ],
    action: 'Your personal link',
  },
};

function englishAnswer({ title, waiting, maybe, declined, registers }: LetterFacts): string {
  if (waiting)
    return `We have your answer for ${title}. There is no place left right now, and you are on the waiting list; we will write as soon as there is one.`;
  if (declined) return `We have noted that you can’t come: ${title}. Thank you for letting us know.`;
  if (maybe) return `We have noted that you don’t know yet: ${title}. Please tell us when you do.`;
  return `${registers ? 'You are registered' : 'Thank you for your answer'}: ${title}. We look forward to seeing you!`;
}

interface AnswerDetailWords {
  children: string;
  members: string;
  meals: string;
  allergies: string;
  comma: string;
}

/** Labels of the details in the mail that confirms an answer: children, members, meals, allergies. */
export const answerDetailWords: Readonly<Record<LanguageName, AnswerDetailWords>> = {
  hebrew: { children: 'מתוכם ילדים', members: 'מי בא', meals: 'אוכל', allergies: 'אלרגיות', comma: ', ' },
  arabic: {
    children: 'منهم أطفال',
    members: 'من سيحضر',
    meals: 'الطعام',
    allergies: 'الحساسية',
    comma: '، ',
  },
  english: { children: 'Children', members: 'Who', meals: 'Meals', allergies: 'Allergies', comma: ', ' },
};

/** Texts of all letters to guests: the messages of rounds, and the replies to what one guest did on a page. */
export const wordsOfLetters: Readonly<Record<LanguageName, Readonly<Record<LetterKind, LetterWords>>>> = {
  hebrew: { ...letterWords.hebrew, ...hebrew },
  arabic: { ...letterWords.arabic, ...arabic },
  english: { ...letterWords.english, ...english },
};
