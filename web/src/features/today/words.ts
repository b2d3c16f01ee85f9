import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'היום', ar: 'اليوم', en: 'Today' },
  create: { he: 'אירוע חדש', ar: 'مناسبة جديدة', en: 'New event' },
  toDo: { he: 'מחכה לכם', ar: 'بانتظاركم', en: 'To do' },
  nothingToDo: {
    he: 'שום דבר לא מחכה. אפשר לנוח.',
    ar: 'لا شيء بانتظاركم. يمكن أن ترتاحوا.',
    en: 'Nothing to do. Time for a break.',
  },
  news: { he: 'מה חדש', ar: 'ما الجديد', en: 'What’s new' },
  since: { he: 'מאז {when}', ar: 'منذ {when}', en: 'Since {when}' },
  noNews: {
    he: 'אין תשובות חדשות מאז {when}.',
    ar: 'لا ردود جديدة منذ {when}.',
    en: 'No new replies since {when}.',
  },
  coming: { he: 'האירועים הקרובים', ar: 'المناسبات القادمة', en: 'Upcoming events' },
  allEvents: { he: 'לכל האירועים', ar: 'إلى كل المناسبات', en: 'All events' },
  daysToGo: {
    he: '{n, plural, =0 {היום!} one {מחר} two {בעוד יומיים} other {בעוד # ימים}}',
    ar: '{n, plural, =0 {اليوم!} zero {اليوم!} one {غدًا} two {بعد يومين} few {بعد # أيام} many {بعد # يومًا} other {بعد # يوم}}',
    en: '{n, plural, =0 {Today!} one {Tomorrow} other {In # days}}',
  },
  days: {
    he: '{n, plural, one {יום} two {ימים} other {ימים}}',
    ar: '{n, plural, zero {يوم} one {يوم} two {يومان} few {أيام} many {يومًا} other {يوم}}',
    en: '{n, plural, one {day} other {days}}',
  },
  inDays: {
    he: '{n, plural, =0 {היום} one {מחר} two {בעוד יומיים} other {בעוד # ימים}}',
    ar: '{n, plural, =0 {اليوم} zero {اليوم} one {غدًا} two {بعد يومين} few {بعد # أيام} many {بعد # يومًا} other {بعد # يوم}}',
    en: '{n, plural, =0 {today} one {tomorrow} other {in # days}}',
  },
  daysAgo: {
    he: '{n, plural, one {באיחור של יום} two {באיחור של יומיים} other {באיחור של # ימים}}',
    ar: '{n, plural, zero {متأخّر} one {متأخّر يومًا} two {متأخّر يومين} few {متأخّر # أيام} many {متأخّر # يومًا} other {متأخّر # يوم}}',
    en: '{n, plural, one {one day overdue} other {# days overdue}}',
  },
  requests: {
    he: '{n, plural, one {אדם אחד מבקש להגיע} two {שניים מבקשים להגיע} other {# מבקשים להגיע}}',
    ar: '{n, plural, zero {لا طلبات} one {طلب حضور واحد} two {طلبا حضور} few {# طلبات حضور} many {# طلب حضور} other {# طلب حضور}}',
    en: '{n, plural, one {One person asks to attend} other {# people ask to attend}}',
  },
  plus_ones: {
    he: '{n, plural, one {מוזמן אחד מביא יותר אנשים מהכתוב בהזמנה} two {שני מוזמנים מביאים יותר אנשים מהכתוב בהזמנה} other {# מוזמנים מביאים יותר אנשים מהכתוב בהזמנה}}',
    ar: '{n, plural, zero {لا أحد يحضر أكثر مما في الدعوة} one {ضيف واحد يحضر معه أكثر مما في الدعوة} two {ضيفان يحضر معهما أكثر مما في الدعوة} few {# ضيوف يحضر معهم أكثر مما في الدعوة} many {# ضيفًا يحضر معهم أكثر مما في الدعوة} other {# ضيف يحضر معهم أكثر مما في الدعوة}}',
    en: '{n, plural, one {One guest brings more people than the invitation allows} other {# guests bring more people than the invitation allows}}',
  },
  missed: {
    he: '{n, plural, one {הודעה אחת לא הגיעה} two {שתי הודעות לא הגיעו} other {# הודעות לא הגיעו}}',
    ar: '{n, plural, zero {وصلت كل الرسائل} one {رسالة واحدة لم تصل} two {رسالتان لم تصلا} few {# رسائل لم تصل} many {# رسالة لم تصل} other {# رسالة لم تصل}}',
    en: '{n, plural, one {One message was not delivered} other {# messages were not delivered}}',
  },
  call: {
    he: '{n, plural, one {נשאר מוזמן אחד לטלפן אליו} two {נשארו שני מוזמנים לטלפן אליהם} other {נשארו # מוזמנים לטלפן אליהם}}',
    ar: '{n, plural, zero {لا مكالمات متبقّية} one {بقي ضيف واحد للاتصال به} two {بقي ضيفان للاتصال بهما} few {بقي # ضيوف للاتصال بهم} many {بقي # ضيفًا للاتصال بهم} other {بقي # ضيف للاتصال بهم}}',
    en: '{n, plural, one {One guest left to call} other {# guests left to call}}',
  },
  send: {
    he: '{n, plural, one {נשארה הודעה אחת לשליחה בעצמכם} two {נשארו שתי הודעות לשליחה בעצמכם} other {נשארו # הודעות לשליחה בעצמכם}}',
    ar: '{n, plural, zero {لا رسائل متبقّية} one {بقيت رسالة واحدة ترسلونها بأنفسكم} two {بقيت رسالتان ترسلونهما بأنفسكم} few {بقيت # رسائل ترسلونها بأنفسكم} many {بقيت # رسالة ترسلونها بأنفسكم} other {بقيت # رسالة ترسلونها بأنفسكم}}',
    en: '{n, plural, one {One message left to send yourself} other {# messages left to send yourself}}',
  },
  payment: { he: 'לשלם ל{who}: {amount}', ar: 'دفع {amount} إلى {who}', en: 'Pay {who} {amount}' },
  approval: { he: 'להסדיר: {what}', ar: 'ترتيب: {what}', en: 'Arrange: {what}' },
  answered: {
    he: '{n, plural, one {מוזמן אחד ענה} two {שני מוזמנים ענו} other {# מוזמנים ענו}}',
    ar: '{n, plural, zero {لم يردّ أحد} one {ردّ ضيف واحد} two {ردّ ضيفان} few {ردّ # ضيوف} many {ردّ # ضيفًا} other {ردّ # ضيف}}',
    en: '{n, plural, one {One guest replied} other {# guests replied}}',
  },
  confirmed: { he: 'מגיעים', ar: 'قادمون', en: 'Coming' },
  maybe: { he: 'מתלבטים', ar: 'متردّدون', en: 'Maybe' },
  waiting: { he: 'ברשימת המתנה', ar: 'في قائمة الانتظار', en: 'Waiting' },
  declined: { he: 'לא מגיעים', ar: 'لن يحضروا', en: 'Not coming' },
  people: {
    he: '({n, plural, one {אדם אחד} two {שני אנשים} other {# אנשים}})',
    ar: '({n, plural, zero {لا أحد} one {شخص واحد} two {شخصان} few {# أشخاص} many {# شخصًا} other {# شخص}})',
    en: '({n, plural, one {one person} other {# people}})',
  },
} as const satisfies Catalogue;
