import type { Language, Words } from '../../kernel/languages.ts';
import type { SharedAccess } from '../events/access.ts';

export const messages = {
  notFound: {
    he: 'אין באירוע מארגן שותף כזה.',
    ar: 'لا يوجد في المناسبة منظّم شريك كهذا.',
    en: 'The event has no such co-organizer.',
  },
  alreadyThere: {
    he: 'הכתובת הזאת כבר שותפה לאירוע.',
    ar: 'هذا العنوان شريك في المناسبة من قبل.',
    en: 'The event is already shared with this address.',
  },
  yourself: {
    he: 'זו הכתובת שלך, והאירוע כבר שלך.',
    ar: 'هذا عنوانك أنت، والمناسبة لك أصلًا.',
    en: 'is your own, and the event is already yours.',
  },
  tooMany: (most: number): Words => ({
    he: `אפשר לשתף אירוע עם ${most} מארגנים לכל היותר.`,
    ar: `يمكن مشاركة المناسبة مع ${most} منظّمًا على الأكثر.`,
    en: `An event can be shared with at most ${most} organizers.`,
  }),
} as const;

interface Letter {
  subject: (title: string) => string;
  shared: (title: string, inviter: string | undefined) => string;
  access: Readonly<Record<SharedAccess, string>>;
  signIn: (email: string) => string;
  action: string;
  footer: string;
}

/** Mail to a person with whom an event is shared. */
export const invitationWords: Readonly<Record<Language, Letter>> = {
  he: {
    subject: (title) => `שיתפו איתך את ${title}`,
    shared: (title, inviter) => `האירוע ${title} שותף איתך${inviter ? ` (מאת ${inviter})` : ''}.`,
    access: {
      view: 'אפשר לראות בו הכול.',
      view_without_contacts: 'אפשר לראות בו את האורחים, התשובות והמנות, בלי פרטי קשר ובלי התקציב.',
      edit: 'אפשר לראות בו הכול ולערוך.',
    },
    signIn: (email) => `אין צורך באישור: אחרי כניסה עם הכתובת ${email} האירוע מופיע ברשימה.`,
    action: 'כניסה לשמחה',
    footer: 'אם אין לך קשר לאירוע, אפשר להתעלם מההודעה.',
  },
  ar: {
    subject: (title) => `تمت مشاركة ${title} معك`,
    shared: (title, inviter) => `تمت مشاركة المناسبة ${title} معك${inviter ? ` (من ${inviter})` : ''}.`,
    access: {
      view: 'يمكنك الاطلاع على كل ما فيها.',
      view_without_contacts: 'يمكنك الاطلاع على الضيوف والردود والوجبات، دون بيانات الاتصال ودون الميزانية.',
      edit: 'يمكنك الاطلاع على كل ما فيها وتعديله.',
    },
    signIn: (email) => `لا حاجة إلى الموافقة: بعد تسجيل الدخول بالعنوان ${email} تظهر المناسبة في القائمة.`,
    action: 'الدخول إلى سمحا',
    footer: 'إذا لم تكن لك علاقة بالمناسبة، فيمكنك تجاهل هذه الرسالة.',
  },
  en: {
    subject: (title) => `${title} was shared with you`,
    shared: (title, inviter) =>
      inviter ? `${inviter} shared the event ${title} with you.` : `The event ${title} was shared with you.`,
    access: {
      view: 'You can see everything in it.',
      view_without_contacts: 'You can see its guests, replies and meals, without contact details and budget.',
      edit: 'You can see and edit everything in it.',
    },
    signIn: (email) => `You don’t have to accept anything: sign in as ${email} to see the event.`,
    action: 'Sign in to Simcha',
    footer: 'If you don’t know this event, you can ignore this mail.',
  },
};
