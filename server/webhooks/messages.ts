import type { Language, Words } from '../kernel/languages.ts';

/** Texts about webhooks. Texts common to all APIs are in kernel/http/messages.ts. */
export const webhookMessages = {
  form: {
    he: 'נדרשת כתובת מלאה שמתחילה ב־https://, בלי שם משתמש וסיסמה.',
    ar: 'يلزم عنوان كامل يبدأ بـ https://، بلا اسم مستخدم وكلمة مرور.',
    en: 'must be a full address that begins with https://, without a user name and password.',
  },
  private: {
    he: 'המארח בכתובת פרטית או מקומית, וזה אסור.',
    ar: 'المضيف على عنوان خاص أو محلي، وهذا غير مسموح.',
    en: 'must not be on a host with a private or local address.',
  },
  oneSubject: {
    he: 'webhook מוגבל לאפליקציה אחת או לאירוע אחד, לא לשניהם.',
    ar: 'يُقصر الـ webhook على تطبيق واحد أو مناسبة واحدة، لا على كليهما.',
    en: 'must be null if application_id is set: a webhook is restricted to one application or one event.',
  },
  otherSide: (kinds: readonly string[]): Words => ({
    he: `ההגבלה אינה מתאימה לסוגים ${kinds.join(', ')}.`,
    ar: `القيد لا يناسب الأنواع ${kinds.join('، ')}.`,
    en: `must not contain ${kinds.join(', ')}, which the restriction excludes.`,
  }),
  tooMany: (most: number): Words => ({
    he: `כבר יש לך ${most} כתובות webhook, וזה המספר המרבי; יש למחוק אחת קודם.`,
    ar: `لديك ${most} عنوان webhook، وهو الحد الأقصى؛ احذف واحدًا أولًا.`,
    en: `You have ${most} webhooks, the maximum; delete one first.`,
  }),
  noSuchWebhook: {
    he: 'אין לך webhook כזה.',
    ar: 'ليس لديك webhook كهذا.',
    en: 'You have no such webhook.',
  },
  noSuchDelivery: {
    he: 'אין משלוח כזה; משלוחים נשמרים 30 יום.',
    ar: 'لا يوجد إرسال كهذا؛ تُحفظ الإرسالات 30 يومًا.',
    en: 'There is no such delivery; deliveries are kept for 30 days.',
  },
  isOff: {
    he: 'ה־webhook כבוי; יש להפעיל אותו קודם.',
    ar: 'الـ webhook متوقف؛ شغّله أولًا.',
    en: 'The webhook is off; turn it on first.',
  },
  unverified: {
    he: 'יש לאמת את כתובת המייל קודם.',
    ar: 'أكّد عنوان البريد الإلكتروني أولًا.',
    en: 'Verify your mail address first.',
  },
} as const;

interface FailingWords {
  subject(host: string): string;
  what(url: string): string;
  remedy: string;
  action: string;
  footer: string;
}

/** Texts of the mail about an endpoint that was turned off after days of failures. */
export const failingWords: Readonly<Record<Language, FailingWords>> = {
  he: {
    subject: (host) => `ה־webhook אל ${host} כובה`,
    what: (url) => `במשך חמישה ימים אף הודעה לא הגיעה אל ${url}, ולכן לא נשלחות אליו עוד הודעות.`,
    remedy:
      'אחרי שהכתובת חוזרת לעבוד, אפשר להפעיל את ה־webhook ולשלוח שוב את ההודעות שנכשלו ב־30 הימים האחרונים.',
    action: 'ל־webhooks',
    footer: 'נשלח כי ה־webhook שייך לחשבון שלך.',
  },
  ar: {
    subject: (host) => `أُوقف الـ webhook إلى ${host}`,
    what: (url) => `لم تصل أي رسالة إلى ${url} خلال خمسة أيام، لذلك لن تُرسل إليه رسائل أخرى.`,
    remedy:
      'بعد أن يعود العنوان إلى العمل، يمكن تشغيل الـ webhook وإعادة إرسال الرسائل التي فشلت في آخر 30 يومًا.',
    action: 'إلى الـ webhooks',
    footer: 'أُرسلت لأن الـ webhook يعود إلى حسابك.',
  },
  en: {
    subject: (host) => `The webhook to ${host} was turned off`,
    what: (url) => `For five days no message reached ${url}, so no further ones are sent there.`,
    remedy:
      'Once the address works again, turn the webhook on and replay the messages of the last 30 days that failed.',
    action: 'Open webhooks',
    footer: 'Sent because the webhook belongs to your account.',
  },
};
