import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'מי מתכנן איתכם', ar: 'من يخطّط معكم', en: 'Co-organizers' },
  about: {
    he: 'בן או בת זוג, הורים, מפיקה: כל אחד נכנס עם כתובת המייל שלו. אין מה לאשר, ונשלחת הודעה.',
    ar: 'شريك الحياة أو الأهل أو منظّمة الحفل: كلٌّ يدخل بعنوان بريده. لا حاجة إلى موافقة، وتُرسل رسالة.',
    en: 'A partner, parents, a planner: each signs in with their own email address. They are notified by email and need not accept.',
  },
  empty: { he: 'בינתיים רק אתם.', ar: 'أنتم وحدكم حاليًا.', en: 'Only you so far.' },
  email: { he: 'כתובת מייל', ar: 'البريد الإلكتروني', en: 'Email address' },
  may: { he: 'הרשאה', ar: 'الصلاحية', en: 'Access' },
  mayOf: { he: 'ההרשאה של {who}', ar: 'صلاحية {who}', en: 'Access of {who}' },
  view: { he: 'צפייה', ar: 'الاطّلاع', en: 'View' },
  view_without_contacts: {
    he: 'צפייה בלי פרטי קשר',
    ar: 'الاطّلاع دون بيانات الاتصال',
    en: 'View, no contact details',
  },
  withoutContactsAbout: {
    he: 'לאולם, לקייטרינג, לצד אחד של המשפחה: שמות, תשובות, מנות, רשימת המשימות וההזמנה. בלי פרטי הקשר של המוזמנים וההודעות אליהם, ובלי ספקים, תקציב ושותפים אחרים.',
    ar: 'للقاعة أو لخدمة الضيافة أو لطرف من العائلة: الأسماء والردود والوجبات وقائمة المهام والدعوة. دون بيانات الاتصال بالضيوف والرسائل إليهم، ودون المورّدين والميزانية والشركاء الآخرين.',
    en: 'For the venue, the caterer, or one side of the family: names, replies, meals, the checklist and the invitation. No contact details of guests or messages to them, no vendors, budget or other co-organizers.',
  },
  edit: { he: 'צפייה ועריכה', ar: 'الاطّلاع والتحرير', en: 'View and edit' },
  invite: { he: 'הזמנה', ar: 'دعوة', en: 'Invite' },
  invited: {
    he: 'ההזמנה נשלחה אל {who}.',
    ar: 'أُرسلت الدعوة إلى {who}.',
    en: 'Invitation sent to {who}.',
  },
  end: { he: 'הסרה', ar: 'إزالة', en: 'Remove' },
  endOf: { he: 'הסרה: {who}', ar: 'إزالة: {who}', en: 'Remove: {who}' },
  ended: { he: 'ל־{who} אין יותר גישה.', ar: 'لم يعد لـ {who} وصول.', en: '{who} no longer has access.' },
  leave: { he: 'לצאת מהאירוע', ar: 'مغادرة المناسبة', en: 'Leave event' },
  leaveAbout: {
    he: 'האירוע ייעלם מהרשימה שלכם. רק מי שהזמין אתכם יכול להחזיר.',
    ar: 'ستختفي المناسبة من قائمتكم، ولا يعيدها إلا من دعاكم.',
    en: 'The event disappears from your list. Only the person who invited you can invite you again.',
  },
  stay: { he: 'ביטול', ar: 'إلغاء', en: 'Cancel' },
  onlyOwner: {
    he: 'מי שהאירוע שלו יכול להזמין עוד אנשים.',
    ar: 'صاحب المناسبة وحده يستطيع دعوة آخرين.',
    en: 'Only the owner of the event can invite more people.',
  },
  cancelled: {
    he: 'האירוע בוטל: אפשר להסיר אנשים, ולא להזמין עוד.',
    ar: 'أُلغيت المناسبة: يمكن إزالة أشخاص، لا دعوة غيرهم.',
    en: 'The event is cancelled: you can remove people but not invite more.',
  },
  you: { he: 'אתם', ar: 'أنتم', en: 'you' },
} as const satisfies Catalogue;
