/** Texts about signing in a device. Texts common to all APIs are in kernel/http/messages.ts. */
export const deviceMessages = {
  pending: {
    he: 'המכשיר עוד לא אושר.',
    ar: 'لم يُؤكَّد الجهاز بعد.',
    en: 'The device is not confirmed yet.',
  },
  slowDown: {
    he: 'השאלות תכופות מדי: יש להמתין 5 שניות יותר בין שאלה לשאלה.',
    ar: 'الأسئلة متقاربة جدًا: انتظر 5 ثوانٍ أكثر بين سؤال وآخر.',
    en: 'Polled too often: wait 5 seconds longer between two polls.',
  },
  expired: {
    he: 'הבקשה אינה תקפה עוד. יש להתחיל את הכניסה מחדש.',
    ar: 'لم يعد الطلب صالحًا. ابدأ الدخول من جديد.',
    en: 'The request is no longer valid. Start the sign-in again.',
  },
  denied: {
    he: 'המשתמש סירב למכשיר הזה.',
    ar: 'رفض المستخدم هذا الجهاز.',
    en: 'The user refused this device.',
  },
  noSuchCode: {
    he: 'אין מכשיר שממתין עם הקוד הזה: הקוד שגוי, נוצל או שתוקפו פג. אפשר לבקש במכשיר קוד חדש.',
    ar: 'لا جهاز ينتظر بهذا الرمز: الرمز خاطئ أو استُعمل أو انتهت صلاحيته. اطلب في الجهاز رمزًا جديدًا.',
    en: 'No device waits with this code: it is wrong, used or expired. Get a new code on the device.',
  },
  tooManyTries: {
    he: 'יותר מדי קודים שגויים. אפשר לנסות שוב בעוד רבע שעה.',
    ar: 'رموز خاطئة كثيرة. حاول مرة أخرى بعد ربع ساعة.',
    en: 'Too many wrong codes. Try again in a quarter of an hour.',
  },
  tooManyRequests: {
    he: 'יותר מדי כניסות של מכשירים נפתחו מהרשת הזאת. אפשר לנסות שוב בעוד רבע שעה.',
    ar: 'بدأت عمليات دخول كثيرة لأجهزة من هذه الشبكة. حاول مرة أخرى بعد ربع ساعة.',
    en: 'Too many devices asked to sign in from this network. Try again in a quarter of an hour.',
  },
} as const;
