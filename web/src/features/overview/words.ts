import type { Catalogue } from '../../lib/words.ts';
import { words as event } from '../events/api/event-words.ts';
import { words as meals } from '../guests/api/meal-words.ts';
import { words as standings } from '../questions/api/standing-words.ts';

export const words = {
  ...event,
  ...meals,
  ...standings,
  waitHere: {
    he: '{n, plural, one {אחד ממתין} two {שניים ממתינים} other {# ממתינים}}',
    ar: '{n, plural, zero {لا أحد ينتظر} one {واحد ينتظر} two {اثنان ينتظران} few {# ينتظرون} many {# ينتظرون} other {# ينتظرون}}',
    en: '{n, plural, one {One waiting} other {# waiting}}',
  },
  sections: { he: 'מדורי האירוע', ar: 'أقسام المناسبة', en: 'Event sections' },
  answers: { he: 'תשובות', ar: 'الردود', en: 'Replies' },
  placesLeft: {
    he: '{n, plural, =0 {אין עוד מקום} one {נשאר מקום אחד} two {נשארו שני מקומות} other {נשארו # מקומות}}',
    ar: '{n, plural, =0 {لا أماكن متبقّية} zero {لا أماكن متبقّية} one {بقي مكان واحد} two {بقي مكانان} few {بقيت # أماكن} many {بقي # مكانًا} other {بقي # مكان}}',
    en: '{n, plural, =0 {No places left} one {One place left} other {# places left}}',
  },
  held: {
    he: '{n, plural, one {מקום אחד שמור עד לאישור במייל} two {שני מקומות שמורים עד לאישור במייל} other {# מקומות שמורים עד לאישור במייל}}',
    ar: '{n, plural, zero {لا أماكن محفوظة} one {مكان واحد محفوظ حتى التأكيد بالبريد} two {مكانان محفوظان حتى التأكيد بالبريد} few {# أماكن محفوظة حتى التأكيد بالبريد} many {# مكانًا محفوظًا حتى التأكيد بالبريد} other {# مكان محفوظ حتى التأكيد بالبريد}}',
    en: '{n, plural, one {One place held until confirmed by email} other {# places held until confirmed by email}}',
  },
  people: {
    he: '{n, plural, =0 {אף אחד לא אישר עדיין} one {אדם אחד מגיע} two {שני אנשים מגיעים} other {# אנשים מגיעים}}',
    ar: '{n, plural, =0 {لم يؤكّد أحد بعد} zero {لم يؤكّد أحد بعد} one {شخص واحد قادم} two {شخصان قادمان} few {# أشخاص قادمون} many {# شخصًا قادمون} other {# شخص قادمون}}',
    en: '{n, plural, =0 {Nobody has confirmed yet} one {One person is coming} other {# people are coming}}',
  },
  noLimit: { he: 'בלי הגבלה', ar: 'بلا حدّ', en: 'No limit' },
  live: { he: 'מתעדכן בזמן אמת', ar: 'تحديث مباشر', en: 'Live' },
  notLive: { he: 'מתחבר מחדש…', ar: 'جارٍ إعادة الاتصال…', en: 'Reconnecting…' },
  answeredOf: {
    he: 'נענו {n, number} מתוך {all, number} הזמנות',
    ar: 'عدد الدعوات التي رُدّ عليها: {n, number} من {all, number}',
    en: '{n, number} of {all, number} invitations answered',
  },
  overTime: { he: 'התשובות לאורך הזמן', ar: 'الردود مع الوقت', en: 'Replies over time' },
  overTimeAbout: {
    he: 'מ־{from} עד {until}: {n, plural, one {תשובה אחת} two {שתי תשובות} other {# תשובות}}',
    ar: 'من {from} حتى {until}: {n, plural, zero {لا ردود} one {ردّ واحد} two {ردّان} few {# ردود} many {# ردًّا} other {# ردّ}}',
    en: 'From {from} to {until}: {n, plural, one {one reply} other {# replies}}',
  },
  placesOf: {
    he: '{people, number} מתוך {places, number} מקומות תפוסים',
    ar: '{people, number} من {places, number} مكان',
    en: '{people, number} of {places, number} places taken',
  },
  meals: { he: 'מנות', ar: 'الوجبات', en: 'Meals' },
  allNumbers: { he: 'לכל הנתונים', ar: 'كل الإحصاءات', en: 'All statistics' },
  next: { he: 'הצעדים הבאים', ar: 'الخطوات التالية', en: 'Next steps' },
  nextAddGuests: {
    he: 'להוסיף מוזמנים, ביד או מקובץ',
    ar: 'إضافة ضيوف، يدويًا أو من ملف',
    en: 'Add guests, by hand or from a file',
  },
  nextInvitation: { he: 'לכתוב את ההזמנה', ar: 'كتابة الدعوة', en: 'Write the invitation' },
  nextInvite: {
    he: '{n, plural, one {להזמין את מי שעוד לא הוזמן} two {להזמין שניים שעוד לא הוזמנו} other {להזמין # שעוד לא הוזמנו}}',
    ar: '{n, plural, zero {دُعي الجميع} one {دعوة من لم يُدعَ بعد} two {دعوة اثنين لم يُدعيا بعد} few {دعوة # لم يُدعوا بعد} many {دعوة # لم يُدعوا بعد} other {دعوة # لم يُدعوا بعد}}',
    en: '{n, plural, one {Invite one guest who is not invited yet} other {Invite # guests who are not invited yet}}',
  },
  nextRemind: {
    he: '{n, plural, one {להזכיר למי שעוד לא ענה} two {להזכיר לשניים שעוד לא ענו} other {להזכיר ל־# שעוד לא ענו}}',
    ar: '{n, plural, zero {ردّ الجميع} one {تذكير من لم يردّ بعد} two {تذكير اثنين لم يردّا بعد} few {تذكير # لم يردّوا بعد} many {تذكير # لم يردّوا بعد} other {تذكير # لم يردّوا بعد}}',
    en: '{n, plural, one {Remind one guest who has not replied} other {Remind # guests who have not replied}}',
  },
  nextVendors: { he: 'לסגור עם ספקים', ar: 'الاتفاق مع مورّدين', en: 'Book vendors' },
  nextTell: {
    he: 'להודיע למוזמנים שהאירוע בוטל',
    ar: 'إبلاغ الضيوف بالإلغاء',
    en: 'Tell guests that the event is cancelled',
  },
  nextThank: { he: 'להודות למי שהגיעו', ar: 'شكر من حضروا', en: 'Thank the guests who came' },
  nextNothing: {
    he: 'הכול בדרך הנכונה. נשאר רק לחכות לתשובות.',
    ar: 'كل شيء على ما يرام. لم يبقَ إلا انتظار الردود.',
    en: 'Everything is on track. All that is left is to wait for replies.',
  },
  money: { he: 'תקציב', ar: 'الميزانية', en: 'Budget' },
  planned: { he: 'מתוכנן', ar: 'مخطَّط', en: 'Planned' },
  booked: { he: 'סגור', ar: 'محجوز', en: 'Booked' },
  paid: { he: 'שולם', ar: 'مدفوع', en: 'Paid' },
  noBudget: { he: 'לא נקבע תקציב.', ar: 'لم تُحدَّد ميزانية.', en: 'No budget set.' },
  dueNext: {
    he: 'הבא לתשלום: {who}, {amount}, {date}',
    ar: 'الدفعة القادمة: {who}، {amount}، {date}',
    en: 'Next payment: {who}, {amount}, {date}',
  },
  plus_ones: {
    he: '{n, plural, one {מוזמן אחד מביא יותר אנשים מהכתוב בהזמנה} two {שני מוזמנים מביאים יותר אנשים מהכתוב בהזמנה} other {# מוזמנים מביאים יותר אנשים מהכתוב בהזמנה}}',
    ar: '{n, plural, zero {لا أحد يحضر أكثر مما في الدعوة} one {ضيف واحد يحضر معه أكثر مما في الدعوة} two {ضيفان يحضر معهما أكثر مما في الدعوة} few {# ضيوف يحضر معهم أكثر مما في الدعوة} many {# ضيفًا يحضر معهم أكثر مما في الدعوة} other {# ضيف يحضر معهم أكثر مما في الدعوة}}',
    en: '{n, plural, one {One guest brings more people than the invitation allows} other {# guests bring more people than the invitation allows}}',
  },
  warnings: { he: 'אזהרות', ar: 'تنبيهات', en: 'Warnings' },
  allWell: { he: 'אין אזהרות.', ar: 'لا تنبيهات.', en: 'No warnings.' },
  day: { he: 'המועד', ar: 'الموعد', en: 'Date' },
  stepsTitle: { he: 'מצב האירוע', ar: 'حالة المناسبة', en: 'Event status' },
  draftAbout: {
    he: 'רק אתם רואים, ואפשר לשנות הכול. אחרי הפרסום תוכלו לשלוח הזמנות.',
    ar: 'أنتم وحدكم ترونها، ويمكن تغيير كل شيء. بعد النشر يمكنكم إرسال الدعوات.',
    en: 'Only you can see it, and everything can be changed. After publishing you can send invitations.',
  },
  publishedAbout: {
    he: 'המוזמנים רואים ועונים. מפרסום אין חזרה לטיוטה.',
    ar: 'الضيوف يرون ويردّون. لا عودة من النشر إلى المسودّة.',
    en: 'Guests can see it and reply. A published event can’t become a draft again.',
  },
  completedAbout: {
    he: 'האירוע הסתיים. התשובות נסגרו, ואפשר לשלוח תודות.',
    ar: 'انتهت المناسبة. أُغلقت الردود، ويمكن إرسال الشكر للضيوف.',
    en: 'The event is over. Replies are closed, and you can send thanks.',
  },
  publish: { he: 'פרסום', ar: 'نشر', en: 'Publish' },
  publishTitle: { he: 'לפרסם את האירוע?', ar: 'نشر المناسبة؟', en: 'Publish this event?' },
  publishSeen: {
    he: 'מי שיש לו קישור אישי רואה את הדף הזה ויכול לענות. אם פתחתם קישור פתוח, גם מי שקיבל אותו.',
    ar: 'كل من لديه رابط شخصي يرى هذه الصفحة ويمكنه الردّ. وإن فتحتم رابطًا مفتوحًا، فكذلك من وصله.',
    en: 'Guests with a personal link can see this page and reply. So can anyone with the open link, if you turned it on.',
  },
  publishSent: {
    he: 'שום דבר לא נשלח עכשיו. ההזמנות יוצאות רק כשתשלחו אותן, בחלק ״הודעות״.',
    ar: 'لا يُرسل شيء الآن. لا تخرج الدعوات إلا حين ترسلونها، في قسم «الرسائل».',
    en: 'Nothing is sent now. Invitations are sent only when you send them, in Messages.',
  },
  publishFinal: {
    he: 'אין דרך חזרה לטיוטה. את הפרטים אפשר לשנות גם אחר כך, ואת האירוע אפשר לבטל.',
    ar: 'لا عودة إلى المسودّة. يمكن تغيير التفاصيل لاحقًا أيضًا، ويمكن إلغاء المناسبة.',
    en: 'A published event can’t become a draft again. You can still change its details or cancel it.',
  },
  notYet: { he: 'לא עכשיו', ar: 'ليس الآن', en: 'Not now' },
  complete: { he: 'סימון שהסתיים', ar: 'تعليم كمنتهية', en: 'Mark as completed' },
  cancel: { he: 'ביטול האירוע', ar: 'إلغاء المناسبة', en: 'Cancel event' },
  cannotUndo: { he: 'את זה אי אפשר לבטל.', ar: 'لا يمكن التراجع عن هذا.', en: 'This can’t be undone.' },
  publishedNow: {
    he: 'פורסם. אפשר להזמין.',
    ar: 'نُشرت. يمكن الدعوة.',
    en: 'Published. You can invite guests now.',
  },
  exampleAbout: {
    he: 'זה אירוע לדוגמה: אפשר לנסות בו הכול.',
    ar: 'هذه مناسبة للتجربة: يمكن تجربة كل شيء فيها.',
    en: 'This is an example event: try anything you like.',
  },
  removeExample: { he: 'להסיר אותו', ar: 'إزالتها', en: 'Remove it' },
  exampleRemoved: {
    he: 'האירוע לדוגמה הוסר, והספקים שלו איתו.',
    ar: 'أُزيلت المناسبة التجريبية ومورّدوها معها.',
    en: 'The example event and its vendors were removed.',
  },
} as const satisfies Catalogue;
