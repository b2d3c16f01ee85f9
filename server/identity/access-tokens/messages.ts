import type { Words } from '../../kernel/languages.ts';

/** Texts about access tokens. Texts common to all APIs are in kernel/http/messages.ts. */
export const tokenMessages = {
  scopeMissing: (scopes: readonly string[], needed: readonly string[]): Words => ({
    he: `האסימון הזה מתיר ${scopes.join(', ')}, ולפעולה הזאת נדרש ${needed.join(' או ')}. אפשר ליצור אסימון עם ההרשאה הזאת.`,
    ar: `هذا الرمز يسمح بـ ${scopes.join('، ')}، وهذه العملية تتطلب ${needed.join(' أو ')}. يمكن إنشاء رمز بهذه الصلاحية.`,
    en: `This token’s scopes are ${scopes.join(', ')}; this request needs ${needed.join(' or ')}. Create a token with that scope.`,
  }),
  restricted: {
    he: 'האסימון הזה מוגבל לאירוע אחד או לאפליקציה אחת, והבקשה אינה עליהם.',
    ar: 'هذا الرمز مقصور على مناسبة واحدة أو تطبيق واحد، والطلب لا يتعلق بهما.',
    en: 'This token is restricted to one event or application, and the request is about something else.',
  },
  expired: {
    he: 'תוקפו של האסימון הזה פג. אפשר ליצור אסימון חדש.',
    ar: 'انتهت صلاحية هذا الرمز. أنشئ رمزًا جديدًا.',
    en: 'This token has expired. Create a new one.',
  },
  notAUser: {
    he: 'אסימון ההתחברות (JWT) תקף, אבל ה־sub שלו אינו משתמש בשרת הזה. יש להיכנס עם קוד שנשלח במייל, או לשלוח מפתח API או אסימון גישה (sk_…) בכותרת X-API-Key.',
    ar: 'رمز الدخول (JWT) صالح، لكن ‏sub فيه ليس مستخدمًا في هذا الخادم. ادخل برمز يصلك بالبريد، أو أرسل مفتاح API أو رمز وصول (sk_…) في الترويسة X-API-Key.',
    en: 'The sign-in token (JWT) is valid, but its sub is no user of this server. Sign in with a mailed code, or send an API key or access token (sk_…) in the header X-API-Key.',
  },
  unverified: {
    he: 'מפתח ה־API תקף, אבל כתובת המייל שלו עוד לא אומתה. יש לאמת אותה עם הקוד שנשלח.',
    ar: 'مفتاح API صالح، لكن بريده الإلكتروني لم يُؤكَّد بعد. أكّده بالرمز المُرسل.',
    en: 'This API key is valid, but its mail address is not verified yet. Verify it with the mailed code.',
  },
  name: {
    he: 'נדרש טקסט נראה של 1 עד 100 תווים בשורה אחת, בלי תווים שהופכים את הכיוון.',
    ar: 'يلزم نص ظاهر من 1 إلى 100 رمز في سطر واحد، بلا رموز تقلب الاتجاه.',
    en: 'must be 1 to 100 visible characters on one line, without characters that change the text direction.',
  },
  subjectId: {
    he: 'נדרש מזהה (UUID).',
    ar: 'يلزم معرّف (UUID).',
    en: 'must be a UUID.',
  },
  noSuchApplication: {
    he: 'אין לך אפליקציה כזאת.',
    ar: 'ليس لديك تطبيق كهذا.',
    en: 'You have no such application.',
  },
  noSuchEvent: {
    he: 'אין לך אירוע כזה.',
    ar: 'ليست لديك مناسبة كهذه.',
    en: 'You have no such event.',
  },
  fullIsUnrestricted: {
    he: 'אסימון עם full אינו יכול להיות מוגבל לאירוע או לאפליקציה; יש לבחור הרשאות אחרות.',
    ar: 'الرمز ذو full لا يمكن قصره على مناسبة أو تطبيق؛ اختر صلاحيات أخرى.',
    en: 'must not be full if the token is restricted to an event or application; choose other scopes.',
  },
  oneSubject: {
    he: 'אסימון מוגבל לאפליקציה אחת או לאירוע אחד, לא לשניהם.',
    ar: 'يُقصر الرمز على تطبيق واحد أو مناسبة واحدة، لا على كليهما.',
    en: 'must be null if application_id is set: a token is restricted to one application or one event.',
  },
  tooLate: (days: number): Words => ({
    he: `אסימון תקף לכל היותר ${days} ימים; null: בלי סוף.`,
    ar: `صلاحية الرمز ${days} يومًا على الأكثر؛ null: بلا نهاية.`,
    en: `must be at most ${days} days from now, or null for a token that does not expire.`,
  }),
  tooMany: (most: number): Words => ({
    he: `כבר יש לך ${most} מפתחות ואסימונים, וזה המספר המרבי; יש למחוק אחד קודם.`,
    ar: `لديك ${most} مفتاحًا ورمزًا، وهو الحد الأقصى؛ احذف واحدًا أولًا.`,
    en: `You have ${most} keys and tokens, the maximum; delete one first.`,
  }),
  noSuchToken: {
    he: 'אין לך מפתח או אסימון כזה.',
    ar: 'ليس لديك مفتاح أو رمز كهذا.',
    en: 'You have no such key or token.',
  },
  notAToken: {
    he: 'הבקשה לא נשלחה עם מפתח או אסימון גישה.',
    ar: 'لم يُرسل الطلب بمفتاح أو رمز وصول.',
    en: 'The request was not sent with a key or access token.',
  },
} as const;
