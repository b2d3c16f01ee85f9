import type { Catalogue } from '../../lib/words.ts';

export const words = {
  headline: {
    he: 'חוגגים. השאר מסודר.',
    ar: 'احتفلوا. والباقي مرتَّب.',
    en: 'You celebrate. We take care of the rest.',
  },
  lead: {
    he: 'מתכננים חתונה, בר מצווה או כנס מקצה לקצה: מוזמנים ותשובות, ספקים ותקציב, אישורים, ואתר לאירוע. בעברית, בערבית ובאנגלית, אצלכם על השרת.',
    ar: 'تخطيط الزفاف أو المناسبة أو المؤتمر من البداية إلى النهاية: الضيوف وردودهم، المورّدون والميزانية، التصاريح، وموقع للمناسبة. بالعبرية والعربية والإنجليزية، وعلى خادمكم أنتم.',
    en: 'Plan a wedding, a bar mitzva or a conference from start to finish: guests and replies, vendors and budget, permits, and an event website. In Hebrew, Arabic and English, on your own server.',
  },
  signIn: { he: 'כניסה', ar: 'الدخول', en: 'Sign in' },
  start: { he: 'מתחילים לתכנן', ar: 'نبدأ التخطيط', en: 'Start planning' },
  reference: {
    he: 'למפתחים: תיעוד ה־API',
    ar: 'للمطوّرين: مرجع الـ API',
    en: 'For developers: API reference',
  },
  guestsTitle: { he: 'כל מוזמן, כל מנה', ar: 'كل ضيف وكل وجبة', en: 'Every guest, every meal' },
  guests: {
    he: 'מייבאים כל רשימה, שולחים קישור אישי, והתשובות מגיעות לבד. מקומות נספרים במדויק, ומי שלא נכנס ממתין בתור.',
    ar: 'استوردوا أي قائمة، وأرسلوا رابطًا شخصيًا، والردود تصل وحدها. الأماكن تُحسب بدقّة، ومن لا يجد مكانًا ينتظر دوره.',
    en: 'Import any list, send personal links, and replies come in by themselves. Places are counted exactly, and a waiting list takes the rest.',
  },
  moneyTitle: { he: 'ספקים ותקציב', ar: 'المورّدون والميزانية', en: 'Vendors and budget' },
  money: {
    he: 'מה תוכנן, מה הוזמן, מה שולם ומה הבא בתור, עד האגורה. כשתעודת הכשרות לא מספיקה, מזהירים.',
    ar: 'ما خُطّط وما حُجز وما دُفع وما يستحقّ لاحقًا، حتى آخر أغورة. وعندما لا تكفي شهادة الكشروت، ننبّه.',
    en: 'Planned, booked, paid and due next, to the agora. You are warned when a kashrut certificate falls short.',
  },
  calendarTitle: { he: 'הלוח יודע', ar: 'التقويم يعرف', en: 'The calendar knows' },
  calendar: {
    he: 'התאריך העברי לצד הלועזי, שבתות, חגים, צומות וימי זיכרון: עצה, אף פעם לא סירוב.',
    ar: 'التاريخ العبري بجانب الميلادي، والأعياد وأيام الصوم وأيام الذكرى لكل طائفة: نصيحة، وليس رفضًا أبدًا.',
    en: 'The Hebrew date beside the civil one, Shabbat, holidays, fasts and memorial days: advice, never a refusal.',
  },
} as const satisfies Catalogue;
