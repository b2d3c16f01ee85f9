import type { Language, Words } from '../../kernel/languages.ts';
import type { SharedRole } from '../model/people.ts';

export const messages = {
  notFound: {
    he: 'האפליקציה אינה משותפת עם אדם כזה.',
    ar: 'التطبيق غير مشترك مع شخص كهذا.',
    en: 'The application is not shared with such a person.',
  },
  alreadyThere: {
    he: 'האפליקציה כבר משותפת עם הכתובת הזאת.',
    ar: 'التطبيق مشترك مع هذا العنوان من قبل.',
    en: 'The application is already shared with this address.',
  },
  yourself: {
    he: 'זו הכתובת שלך, והאפליקציה כבר שלך.',
    ar: 'هذا عنوانك أنت، والتطبيق لك أصلًا.',
    en: 'is your own, and the application is already yours.',
  },
  onlyOwnerRemoves: {
    he: 'רק בעל האפליקציה יכול להסיר אנשים אחרים.',
    ar: 'مالك التطبيق وحده يستطيع إزالة أشخاص آخرين.',
    en: 'Only the owner of the application can remove other people.',
  },
  tooMany: (most: number): Words => ({
    he: `אפשר לשתף אפליקציה עם ${most} אנשים לכל היותר.`,
    ar: `يمكن مشاركة التطبيق مع ${most} شخصًا على الأكثر.`,
    en: `An application can be shared with at most ${most} people.`,
  }),
} as const;

interface Letter {
  subject: (name: string) => string;
  shared: (name: string, inviter: string) => string;
  role: Readonly<Record<SharedRole, string>>;
  signIn: (email: string) => string;
  action: string;
  footer: string;
}

/** Mail to a person with whom an application is shared. */
export const invitationWords: Readonly<Record<Language, Letter>> = {
  he: {
    subject: (name) => `שיתפו איתך את האתר ${name}`,
    shared: (name, inviter) => `האתר ${name} שותף איתך (מאת ${inviter}).`,
    role: {
      look: 'אפשר לראות בו הכול, חוץ מסודות.',
      deploy: 'אפשר לראות בו הכול חוץ מסודות, לפרוס, להפעיל מחדש, לעצור ולהריץ פקודות.',
      administer: 'אפשר לעשות בו הכול, חוץ ממחיקת האתר ושיתופו.',
    },
    signIn: (email) => `אין צורך באישור: אחרי כניסה עם הכתובת ${email} האתר מופיע ברשימה.`,
    action: 'פתיחת האתר בשמחה',
    footer: 'אם אין לך קשר לאתר, אפשר להתעלם מההודעה.',
  },
  ar: {
    subject: (name) => `تمت مشاركة الموقع ${name} معك`,
    shared: (name, inviter) => `تمت مشاركة الموقع ${name} معك (من ${inviter}).`,
    role: {
      look: 'يمكنك الاطلاع على كل ما فيه ما عدا الأسرار.',
      deploy: 'يمكنك الاطلاع على كل ما فيه ما عدا الأسرار، ونشره وإعادة تشغيله وإيقافه وتشغيل الأوامر.',
      administer: 'يمكنك فعل كل شيء فيه ما عدا حذفه ومشاركته.',
    },
    signIn: (email) => `لا حاجة إلى الموافقة: بعد تسجيل الدخول بالعنوان ${email} يظهر الموقع في القائمة.`,
    action: 'فتح الموقع في سمحا',
    footer: 'إذا لم تكن لك علاقة بالموقع، فيمكنك تجاهل هذه الرسالة.',
  },
  en: {
    subject: (name) => `The site ${name} was shared with you`,
    shared: (name, inviter) => `${inviter} shared the site ${name} with you.`,
    role: {
      look: 'You can see everything in it except secrets.',
      deploy: 'You can see everything in it except secrets, deploy, restart and stop it, and run commands.',
      administer: 'You can do everything with it, except delete it or share it.',
    },
    signIn: (email) => `You don’t have to accept anything: sign in as ${email} to see the site.`,
    action: 'Open the site in Simcha',
    footer: 'If you don’t know this site, you can ignore this mail.',
  },
};
