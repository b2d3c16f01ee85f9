import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'כניסה', ar: 'الدخول', en: 'Sign in' },
  about: {
    he: 'בלי סיסמה: נשלח לכם קוד במייל. מי שנכנס בפעם הראשונה מקבל חשבון.',
    ar: 'بلا كلمة مرور: نرسل لكم رمزًا بالبريد. من يدخل لأول مرة يحصل على حساب.',
    en: 'No password: we email you a code. If it is your first time, we create an account for you.',
  },
  email: { he: 'כתובת מייל', ar: 'البريد الإلكتروني', en: 'Email address' },
  send: { he: 'לשלוח לי קוד', ar: 'أرسلوا لي رمزًا', en: 'Send me a code' },
  sent: {
    he: 'שלחנו קוד אל {email}. הוא תקף ל־15 דקות.',
    ar: 'أرسلنا رمزًا إلى {email}. صالح لمدة 15 دقيقة.',
    en: 'We sent a code to {email}. It is valid for 15 minutes.',
  },
  code: { he: 'הקוד מהמייל', ar: 'الرمز من الرسالة', en: 'Code from the email' },
  enter: { he: 'כניסה', ar: 'دخول', en: 'Sign in' },
  resend: { he: 'לשלוח קוד חדש', ar: 'إرسال رمز جديد', en: 'Send a new code' },
  resendIn: {
    he: '{n, plural, one {קוד חדש בעוד שנייה} two {קוד חדש בעוד שתי שניות} other {קוד חדש בעוד # שניות}}',
    ar: '{n, plural, zero {رمز جديد الآن} one {رمز جديد بعد ثانية} two {رمز جديد بعد ثانيتين} few {رمز جديد بعد # ثوانٍ} many {رمز جديد بعد # ثانية} other {رمز جديد بعد # ثانية}}',
    en: '{n, plural, one {New code in one second} other {New code in # seconds}}',
  },
  other: { he: 'כתובת אחרת', ar: 'عنوان آخر', en: 'Use another address' },
  kept: {
    he: 'השרת הזה לא שולח מיילים, אלא שומר אותם אצלו.',
    ar: 'هذا الخادم لا يرسل الرسائل، بل يحفظها عنده.',
    en: 'This server does not send email. It keeps it in an outbox.',
  },
  outbox: {
    he: 'לתיבת הדואר השמור (בכתובת שהודפסה בהפעלה)',
    ar: 'إلى صندوق الرسائل المحفوظة (في العنوان الذي طُبع عند التشغيل)',
    en: 'Open the outbox (at the address printed at startup)',
  },
  spam: {
    he: 'לא הגיע? בדקו בספאם.',
    ar: 'لم يصل؟ تفقّدوا البريد المزعج.',
    en: 'Nothing arrived? Check your spam folder.',
  },
} as const satisfies Catalogue;
