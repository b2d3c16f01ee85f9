import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'אנשים', ar: 'الأشخاص', en: 'People' },
  about: {
    he: 'כל אחד נכנס עם כתובת המייל שלו. אין מה לאשר, ונשלחת הודעה.',
    ar: 'كلٌّ يدخل بعنوان بريده. لا حاجة إلى موافقة، وتُرسل رسالة.',
    en: 'Each signs in with their own email address. They are notified by email and need not accept.',
  },
  onlyOwner: {
    he: 'רק מי שהאתר שלו יכול להזמין אנשים ולשנות תפקידים.',
    ar: 'صاحب الموقع وحده يستطيع دعوة أشخاص وتغيير الأدوار.',
    en: 'Only the owner of the site can invite people and change roles.',
  },
  empty: { he: 'בינתיים רק אתם.', ar: 'أنتم وحدكم حاليًا.', en: 'Only you so far.' },
  email: { he: 'כתובת מייל', ar: 'البريد الإلكتروني', en: 'Email address' },
  role: { he: 'תפקיד', ar: 'الدور', en: 'Role' },
  roleOf: { he: 'התפקיד של {who}', ar: 'دور {who}', en: 'Role of {who}' },
  lookAbout: {
    he: 'רואים הכול, חוץ מערכים של משתנים ומסודות אחרים.',
    ar: 'الاطّلاع على كل شيء ما عدا قيم المتغيرات وسائر الأسرار.',
    en: 'Sees everything except values of variables and other secrets.',
  },
  deployAbout: {
    he: 'גם פורסים, מפעילים מחדש, עוצרים, חוזרים לגרסה קודמת, מריצים פקודות ופותחים תצוגות מקדימות.',
    ar: 'وكذلك النشر وإعادة التشغيل والإيقاف والعودة إلى إصدار سابق وتشغيل الأوامر وفتح المعاينات.',
    en: 'Also deploys, restarts, stops, rolls back, runs commands and opens previews.',
  },
  administerAbout: {
    he: 'הכול, חוץ ממחיקת האתר והזמנת אנשים.',
    ar: 'كل شيء ما عدا حذف الموقع ودعوة الأشخاص.',
    en: 'Everything except deleting the site and inviting people.',
  },
  pending: { he: 'עוד לא נכנסו', ar: 'لم يدخل بعد', en: 'Has not signed in yet' },
  invite: { he: 'הזמנה', ar: 'دعوة', en: 'Invite' },
  invited: { he: 'ההזמנה נשלחה אל {who}.', ar: 'أُرسلت الدعوة إلى {who}.', en: 'Invitation sent to {who}.' },
  end: { he: 'הסרה', ar: 'إزالة', en: 'Remove' },
  endOf: { he: 'הסרה: {who}', ar: 'إزالة: {who}', en: 'Remove: {who}' },
  ended: { he: 'ל־{who} אין יותר גישה.', ar: 'لم يعد لـ {who} وصول.', en: '{who} no longer has access.' },
  leave: { he: 'לצאת מהאתר', ar: 'مغادرة الموقع', en: 'Leave site' },
  leaveAbout: {
    he: 'האתר ייעלם מהרשימה שלכם. רק מי שהזמין אתכם יכול להחזיר.',
    ar: 'سيختفي الموقع من قائمتكم، ولا يعيده إلا من دعاكم.',
    en: 'The site disappears from your list. Only the person who invited you can invite you again.',
  },
  stay: { he: 'ביטול', ar: 'إلغاء', en: 'Cancel' },
  you: { he: 'אתם', ar: 'أنتم', en: 'you' },
  history: { he: 'היסטוריה', ar: 'السجلّ', en: 'History' },
  historyAbout: {
    he: 'מי שינה מה ומתי, עד שנה אחורה. ערכים של סודות אינם נשמרים.',
    ar: 'من غيّر ماذا ومتى، حتى سنة مضت. لا تُحفظ قيم الأسرار.',
    en: 'Who changed what and when, for up to a year. Values of secrets are not kept.',
  },
  deploymentLog: { he: 'יומן הפריסה', ar: 'سجلّ النشر', en: 'Log' },
  more: { he: 'שינויים ישנים יותר', ar: 'تغييرات أقدم', en: 'Older changes' },
  push: { he: 'וו הדחיפה', ar: 'خطّاف الدفع', en: 'Push hook' },
  operator: { he: 'מפעיל השרת', ar: 'مشغّل الخادم', en: 'Operator of the server' },
  secret: { he: 'מוגדר', ar: 'محدّد', en: 'set' },
} as const satisfies Catalogue;
