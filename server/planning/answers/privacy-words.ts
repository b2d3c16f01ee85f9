import type { LanguageName } from '../../kernel/languages.ts';

/** Section of the privacy page: its heading, and the text below it. */
export type PrivacySection = readonly [heading: string, text: string];

/** Kinds of data that not every event asks for or stores. */
interface DataKinds {
  /** True if the event has data about meals and allergies. */
  food: boolean;
  /** True if the event has data about people's company and role. */
  work: boolean;
  /** True if the event has questions of its own, which guests answer. */
  answers: boolean;
}

interface Words {
  title: string;
  /**
   * Short note about privacy below a form that asks for personal data. A link with the text `title` follows the note.
   */
  short: string;
  /** Second sentence of the privacy note below a form, if the form asks about food. */
  food: string;
  hosts: string;
  /**
   * Sections of the privacy page. `keeper` is the name of the people responsible for the data, `until` the date of its
   * erasure; undefined if no day is set.
   */
  parts(about: { keeper: string; until: string | undefined } & DataKinds): readonly PrivacySection[];
  kept: string;
  ofTheHosts: string;
  correct: string;
  download: string;
  erase: string;
  eraseHint: string;
  /** Hint about how guests erase their data, shown after the event is over. */
  eraseHintOver: string;
  understood: string;
  eraseNow: string;
  erased: string;
  answer: string;
}

/**
 * Name of the people responsible for the data (hosts or organizers), in each grammatical form that the sentences need.
 */
interface ResponsibleNames {
  hosts: string;
  toHosts: string;
  /** Name of the hosts in the texts on privacy, when the event names no hosts. */
  ofEvent: string;
}

/** Section of the privacy page that is only shown if the event asks about food. */
const ifAsked = (food: boolean, part: PrivacySection): readonly PrivacySection[] => (food ? [part] : []);

const hebrew = (who: ResponsibleNames): Words => ({
  title: 'פרטיות',
  short: `הפרטים נשמרים אצל ${who.hosts} לצורך האירוע בלבד.`,
  food: 'מה שכותבים על אוכל ואלרגיות הוא רשות.',
  hosts: who.ofEvent,
  parts: ({ keeper, until, food, work, answers }) => [
    ['מי שומר את הפרטים', `${keeper}. הם אחראים לפרטים, והשרת הזה שומר אותם בשבילם.`],
    [
      'מה נשמר ולמה',
      `שם ודרכי קשר, כדי להזמין אתכם ולעדכן; תשובה ומספר המגיעים, כדי לשמור לכם מקום${food ? '; אוכל ואלרגיות, כדי שיהיה לכם מה לאכול' : ''}` +
        `${work ? `; חברה ותפקיד, כדי ש${who.hosts} יידעו מי בא` : ''}${answers ? '; התשובות לשאלות, כדי להתכונן לאירוע' : ''}; ומה שכתבתם ${who.toHosts}, כדי שיקראו.`,
    ],
    [
      'רשות, לא חובה',
      `אין חובה בחוק למסור דבר. בלי תשובה לא נשמר מקום${food ? ', ובלי פרטים על אוכל תוגש המנה הרגילה' : ''}.`,
    ],
    ...ifAsked(food, [
      'מידע רגיש במיוחד',
      'אלרגיות מעידות על בריאות וכשרות על אמונה, והחוק מגן עליהן במיוחד. הן נמסרות רק למי שמכין את האוכל.',
    ]),
    [
      'מי רואה',
      `${who.hosts}, מי שמארגן איתם, ונותני שירות של האירוע כמו הקייטרינג, לפי הצורך. הפרטים אינם נמכרים ואינם משמשים לפרסום.`,
    ],
    [
      'עד מתי',
      until
        ? `הפרטים האישיים נמחקים ב־${until}. נשארים רק מספרים, בלי שמות.`
        : `עד ש${who.hosts} מוחקים אותם. אחר כך נשארים רק מספרים, בלי שמות.`,
    ],
    ['הזכויות שלכם', `אפשר לראות מה שמור עליכם, לתקן ולמחוק: כאן בדף האישי, או בפנייה ${who.toHosts}.`],
  ],
  kept: 'מה שמור עליכם',
  ofTheHosts: `${who.hosts} עשויים לרשום לעצמם גם תגיות והערות, גם על שיחות טלפון איתכם. אפשר לבקש מהם לראות אותן.`,
  correct: 'תיקון התשובה',
  download: 'הורדה כקובץ',
  erase: 'מחיקת הפרטים',
  eraseHint: 'כל מה ששמור עליכם יימחק לתמיד, גם התשובה. אם נשמר לכם מקום הוא יתפנה, והקישור הזה לא יפעל עוד.',
  eraseHintOver: 'כל מה ששמור עליכם יימחק לתמיד, והקישור הזה לא יפעל עוד.',
  understood: 'ברור לי שאי אפשר לבטל את המחיקה',
  eraseNow: 'למחוק את הפרטים',
  erased: 'הפרטים שלכם נמחקו.',
  answer: 'תשובה',
});

const arabic = (who: ResponsibleNames): Words => ({
  title: 'الخصوصية',
  short: `تُحفظ البيانات لدى ${who.hosts} لغرض المناسبة فقط.`,
  food: 'ما تكتبونه عن الطعام والحساسية اختياري.',
  hosts: who.ofEvent,
  parts: ({ keeper, until, food, work, answers }) => [
    ['من يحفظ البيانات', `${keeper}. وهم المسؤولون عن البيانات، وهذا الخادم يحفظها لهم.`],
    [
      'ما الذي يُحفظ ولماذا',
      `الاسم ووسائل الاتصال لدعوتكم وإطلاعكم على الجديد؛ الرد وعدد الحاضرين لحجز أماكنكم${food ? '؛ الطعام والحساسية ليكون لكم ما تأكلونه' : ''}` +
        `${work ? `؛ الشركة والوظيفة ليعرف ${who.hosts} من سيحضر` : ''}${answers ? '؛ الإجابات عن الأسئلة للتحضير للمناسبة' : ''}؛ وما كتبتموه ${who.toHosts} ليقرؤوه.`,
    ],
    [
      'اختياري وليس إلزاميًا',
      `لا يُلزمكم القانون بتقديم أي بيانات. دون رد لا يُحجز مكان${food ? '، ودون تفاصيل عن الطعام تُقدَّم الوجبة العادية' : ''}.`,
    ],
    ...ifAsked(food, [
      'معلومات حساسة بشكل خاص',
      'الحساسية تدل على الصحة والكوشير على المعتقد، ويحميهما القانون بشكل خاص. لا يطّلع عليهما إلا من يُعدّ الطعام.',
    ]),
    [
      'من يطّلع',
      `${who.hosts} ومن ينظّم معهم ومقدّمو خدمات المناسبة كالضيافة، حسب الحاجة. لا تُباع البيانات ولا تُستخدم للإعلانات.`,
    ],
    [
      'حتى متى',
      until
        ? `تُحذف البيانات الشخصية في ${until}، وتبقى الأعداد فقط دون أسماء.`
        : `حتى يحذفها ${who.hosts}، وبعد ذلك تبقى الأعداد فقط دون أسماء.`,
    ],
    [
      'حقوقكم',
      `يمكنكم الاطلاع على ما هو محفوظ عنكم وتصحيحه وحذفه: هنا في صفحتكم الشخصية، أو بالتوجه إلى ${who.hosts}.`,
    ],
  ],
  kept: 'ما هو محفوظ عنكم',
  ofTheHosts: `قد يسجّل ${who.hosts} لأنفسهم وسومًا وملاحظات أيضًا، ومنها عن المكالمات معكم. يمكنكم أن تطلبوا منهم الاطلاع عليها.`,
  correct: 'تصحيح الرد',
  download: 'تنزيل كملف',
  erase: 'حذف البيانات',
  eraseHint:
    'سيُحذف كل ما هو محفوظ عنكم نهائيًا، بما فيه الرد. إذا كان لكم مكان محجوز فسيصبح شاغرًا، ولن يعمل هذا الرابط بعد ذلك.',
  eraseHintOver: 'سيُحذف كل ما هو محفوظ عنكم نهائيًا، ولن يعمل هذا الرابط بعد ذلك.',
  understood: 'من الواضح لي أنه لا يمكن التراجع عن الحذف',
  eraseNow: 'حذف البيانات',
  erased: 'حُذفت بياناتكم.',
  answer: 'الرد',
});

const english = (who: ResponsibleNames): Words => ({
  title: 'Privacy',
  short: `Your details are stored for ${who.hosts}, for this event only.`,
  food: 'Details about food and allergies are optional.',
  hosts: who.ofEvent,
  parts: ({ keeper, until, food, work, answers }) => [
    [
      'Who stores your details',
      `${keeper}. They are responsible for them; this server stores them on their behalf.`,
    ],
    [
      'What is stored, and why',
      `Your name and contact details, to invite you and keep you informed; your answer and the number of people, to reserve places for you${food ? '; food and allergies, so that there is something for you to eat' : ''}` +
        `${work ? `; company and role, so that ${who.hosts} know who comes` : ''}${answers ? '; your answers to questions, to prepare the event' : ''}; and what you wrote ${who.toHosts}, for them to read.`,
    ],
    [
      'Optional',
      `You are not legally required to give any of it. Without an answer no place is reserved${food ? '; without details about food you get the regular meal' : ''}.`,
    ],
    ...ifAsked(food, [
      'Especially sensitive information',
      'Allergies reveal health and kashrut reveals religious belief, which the law especially protects. They are shared only with the people who prepare the food.',
    ]),
    [
      'Who can see it',
      `${capital(who.hosts)}, people who organize with them, and service providers of the event such as the caterer, as far as needed. It is not sold and not used for advertising.`,
    ],
    [
      'How long it is stored',
      until
        ? `Personal details are deleted on ${until}. Only numbers without names remain.`
        : `Until ${who.hosts} delete it. After that only numbers without names remain.`,
    ],
    [
      'Your rights',
      `You can see the data stored about you, correct it and delete it: here on your personal page, or by asking ${who.hosts}.`,
    ],
  ],
  kept: 'Data stored about you',
  ofTheHosts: `${capital(who.hosts)} may also keep tags and notes for themselves, for example about phone calls with you. You can ask them to see these.`,
  correct: 'Correct my answer',
  download: 'Download as a file',
  erase: 'Delete my details',
  eraseHint:
    'All data stored about you will be deleted permanently, including your answer. If a place was reserved for you, it becomes free, and this link stops working.',
  eraseHintOver: 'All data stored about you will be deleted permanently, and this link stops working.',
  understood: 'I understand that this can’t be undone',
  eraseNow: 'Delete my details',
  erased: 'Your details have been deleted.',
  answer: 'Answer',
});

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const WORDS = { hebrew, arabic, english };
const HOSTS: Readonly<Record<LanguageName, ResponsibleNames>> = {
  hebrew: { hosts: 'המארחים', toHosts: 'למארחים', ofEvent: 'מארחי האירוע' },
  arabic: { hosts: 'أصحاب الدعوة', toHosts: 'لأصحاب الدعوة', ofEvent: 'أصحاب الدعوة' },
  english: { hosts: 'the hosts', toHosts: 'to the hosts', ofEvent: 'The hosts of the event' },
};
const ORGANIZERS: typeof HOSTS = {
  hebrew: { hosts: 'המארגנים', toHosts: 'למארגנים', ofEvent: 'מארגני האירוע' },
  // The Arabic words for "organizing team" have the same form everywhere in a sentence, so all three forms of the name
  // are equal.
  arabic: { hosts: 'فريق التنظيم', toHosts: 'لفريق التنظيم', ofEvent: 'فريق التنظيم' },
  english: { hosts: 'the organizers', toHosts: 'to the organizers', ofEvent: 'The organizers of the event' },
};

/** Texts of the privacy page. They name hosts or, where people register, organizers. */
export function privacyWords(language: LanguageName, { registration }: { registration: boolean }): Words {
  return WORDS[language]((registration ? ORGANIZERS : HOSTS)[language]);
}
