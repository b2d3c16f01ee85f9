import type { Language } from '../../kernel/languages.ts';
import type { SectionName } from './store.ts';

/** Texts of the daily mail to organizers. A section has a number and names: `3: דנה (2), …`. */
interface Digest {
  subject(title: string): string;
  sections: Readonly<Record<SectionName, (count: string, names: string) => string>>;
  /** Text after the names in a section of the mail, with the number of guests whose name is left out. */
  andMore(count: string): string;
  comma: string;
  soFar(total: {
    guests: string;
    people: string;
    waiting: string;
    /** Text with the number of guests who answered "maybe"; undefined if there are none. */
    maybe: string | undefined;
    pending: string;
    declined: string;
  }): string;
  action: string;
  footer: string;
}

/** Texts of the daily mail to organizers about their guests' answers. */
export const digestWords: Readonly<Record<Language, Digest>> = {
  he: {
    subject: (title) => `מה חדש: ${title}`,
    sections: {
      coming: (count, names) => `אישרו הגעה – ${count}\n${names}`,
      maybe: (count, names) => `עוד לא יודעים – ${count}\n${names}`,
      declined: (count, names) => `לא יגיעו – ${count}\n${names}`,
      waiting: (count, names) => `ברשימת ההמתנה – ${count}\n${names}`,
      untold: (count, names) =>
        `יש להם עדכון על המקום שלהם, ולא יכולנו לשלוח להם הודעה. כדאי שתעדכנו אותם – ${count}\n${names}`,
      request: (count, names) => `ביקשו להגיע ומחכים לתשובה שלכם – ${count}\n${names}`,
    },
    andMore: (count) => `ועוד ${count}`,
    comma: ', ',
    soFar: ({ guests, people, waiting, maybe, pending, declined }) =>
      `עד עכשיו:\nאישרו הגעה – ${guests} (סך הכול אנשים: ${people})${maybe ? `\nעוד לא יודעים – ${maybe}` : ''}\nבלי תשובה – ${pending}\nברשימת ההמתנה – ${waiting}\nלא יגיעו – ${declined}`,
    action: 'לאירוע',
    footer: 'נשלח בכל בוקר שיש בו חדש, כי אתם מארגני האירוע. אפשר לכבות את הסיכום בהגדרות האירוע.',
  },
  ar: {
    subject: (title) => `الجديد: ${title}`,
    sections: {
      coming: (count, names) => `أكّدوا الحضور – ${count}\n${names}`,
      maybe: (count, names) => `لا يعرفون بعد – ${count}\n${names}`,
      declined: (count, names) => `لن يحضروا – ${count}\n${names}`,
      waiting: (count, names) => `في قائمة الانتظار – ${count}\n${names}`,
      untold: (count, names) =>
        `لديهم تحديث عن مكانهم، ولم نتمكن من إرسال رسالة إليهم. يُرجى إبلاغهم – ${count}\n${names}`,
      request: (count, names) => `طلبوا الحضور وينتظرون ردكم – ${count}\n${names}`,
    },
    andMore: (count) => `و${count} غيرهم`,
    comma: '، ',
    soFar: ({ guests, people, waiting, maybe, pending, declined }) =>
      `حتى الآن:\nأكّدوا الحضور – ${guests} (مجموع الأشخاص: ${people})${maybe ? `\nلا يعرفون بعد – ${maybe}` : ''}\nبلا رد – ${pending}\nفي قائمة الانتظار – ${waiting}\nلن يحضروا – ${declined}`,
    action: 'إلى المناسبة',
    footer: 'تُرسل في كل صباح فيه جديد لأنكم منظّمو المناسبة. يمكن إيقافها في إعدادات المناسبة.',
  },
  en: {
    subject: (title) => `What’s new: ${title}`,
    sections: {
      coming: (count, names) => `Coming – ${count}\n${names}`,
      maybe: (count, names) => `Don’t know yet – ${count}\n${names}`,
      declined: (count, names) => `Not coming – ${count}\n${names}`,
      waiting: (count, names) => `On the waiting list – ${count}\n${names}`,
      untold: (count, names) =>
        `There is an update about their place, but we could not send them a message. Please tell them – ${count}\n${names}`,
      request: (count, names) => `Asked to come and are waiting for your answer – ${count}\n${names}`,
    },
    andMore: (count) => `and ${count} more`,
    comma: ', ',
    soFar: ({ guests, people, waiting, maybe, pending, declined }) =>
      `So far:\nComing – ${guests} (people in all: ${people})${maybe ? `\nDon’t know yet – ${maybe}` : ''}\nNo answer yet – ${pending}\nOn the waiting list – ${waiting}\nNot coming – ${declined}`,
    action: 'Open the event',
    footer:
      'Sent each morning when there is something new, because you organize the event. You can switch it off in the event’s settings.',
  },
};
