import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'מי מתכנן איתכם', ar: 'من يخطّط معكم', en: 'Who plans with you' },
  about: {
    he: 'בן או בת זוג, הורים, מפיקה: כל אחד נכנס עם כתובת המייל שלו. אין מה לאשר, ונשלחת הודעה.',
    ar: 'شريك الحياة أو الأهل أو منظّمة الحفل: كلٌّ يدخل بعنوان بريده. لا حاجة إلى موافقة، وتُرسل رسالة.',
    en: 'A partner, parents, a producer: each signs in with their own mail address. There is nothing to accept, and a mail tells them.',
  },
  empty: { he: 'בינתיים רק אתם.', ar: 'أنتم وحدكم حاليًا.', en: 'So far it is just you.' },
  email: { he: 'כתובת מייל', ar: 'البريد الإلكتروني', en: 'Email address' },
  may: { he: 'מה מותר', ar: 'المسموح', en: 'They may' },
  mayOf: { he: 'מה מותר ל־{who}', ar: 'المسموح لـ {who}', en: 'What {who} may' },
  view: { he: 'לראות', ar: 'الاطّلاع', en: 'Look' },
  edit: { he: 'לראות ולשנות', ar: 'الاطّلاع والتغيير', en: 'Look and change' },
  invite: { he: 'הזמנה', ar: 'دعوة', en: 'Invite' },
  invited: {
    he: 'ההזמנה נשלחה אל {who}.',
    ar: 'أُرسلت الدعوة إلى {who}.',
    en: 'An invitation is on its way to {who}.',
  },
  end: { he: 'הסרה', ar: 'إزالة', en: 'Remove' },
  endOf: { he: 'הסרה: {who}', ar: 'إزالة: {who}', en: 'Remove: {who}' },
  ended: { he: 'ל־{who} אין יותר גישה.', ar: 'لم يعد لـ {who} وصول.', en: '{who} has no access any more.' },
  leave: { he: 'לצאת מהאירוע', ar: 'مغادرة المناسبة', en: 'Leave this event' },
  leaveAbout: {
    he: 'האירוע ייעלם מהרשימה שלכם. רק מי שהזמין אתכם יכול להחזיר.',
    ar: 'ستختفي المناسبة من قائمتكم، ولا يعيدها إلا من دعاكم.',
    en: 'It goes from your list. Only who invited you can bring it back.',
  },
  stay: { he: 'להישאר', ar: 'البقاء', en: 'Stay' },
  onlyOwner: {
    he: 'מי שהאירוע שלו יכול להזמין עוד אנשים.',
    ar: 'صاحب المناسبة وحده يستطيع دعوة آخرين.',
    en: 'Whose event it is can invite more people.',
  },
  cancelled: {
    he: 'האירוע בוטל: אפשר להסיר אנשים, ולא להזמין עוד.',
    ar: 'أُلغيت المناسبة: يمكن إزالة أشخاص، لا دعوة غيرهم.',
    en: 'The event was called off: people can be removed, and nobody else invited.',
  },
  you: { he: 'אתם', ar: 'أنتم', en: 'You' },
} as const satisfies Catalogue;
