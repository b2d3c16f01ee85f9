import type { Words } from '../../kernel/languages.ts';
import type { EventStatus } from './lifecycle.ts';

const cancelledIsFinal = {
  he: 'האירוע בוטל ואי אפשר לערוך אותו.',
  ar: 'أُلغيت المناسبة ولا يمكن تعديلها.',
  en: 'The event is cancelled and can’t be changed.',
};

const statusNames: Readonly<Record<EventStatus, Words>> = {
  draft: { he: 'בטיוטה', ar: 'مسودة', en: 'a draft' },
  published: { he: 'פורסם', ar: 'منشورة', en: 'published' },
  completed: { he: 'הסתיים', ar: 'منتهية', en: 'completed' },
  cancelled: { he: 'בוטל', ar: 'ملغاة', en: 'cancelled' },
};

const saidYes = (guests: number): Words => ({
  he: `${guests === 1 ? 'אורח אחד אישר' : `${guests === 2 ? 'שני' : guests.toLocaleString('he')} אורחים אישרו`} הגעה.`,
  ar: `عدد الضيوف الذين أكّدوا حضورهم: ${guests.toLocaleString('ar-u-nu-latn')}.`,
  en: `${guests === 1 ? '1 guest has' : `${guests.toLocaleString('en')} guests have`} said yes.`,
});

/** Texts of the event API. Texts common to all APIs are in kernel/http/messages.ts. */
export const messages = {
  onlyOrganizers: {
    he: 'רק מארגנים יכולים ליצור אירועים.',
    ar: 'إنشاء المناسبات متاح للمنظّمين فقط.',
    en: 'Only organizers can create events.',
  },
  notYours: {
    he: 'האירוע הזה שייך למארגן אחר.',
    ar: 'هذه المناسبة تخصّ منظّمًا آخر.',
    en: 'This event belongs to another organizer.',
  },
  viewOnly: {
    he: 'האירוע הזה משותף איתך לצפייה בלבד.',
    ar: 'هذه المناسبة مشتركة معك للاطلاع فقط.',
    en: 'This event is shared with you to look at only.',
  },
  ownerOnly: {
    he: 'רק מי שיצר את האירוע יכול לעשות את זה.',
    ar: 'هذا متاح لمن أنشأ المناسبة فقط.',
    en: 'Only whoever created the event can do this.',
  },
  noSuchEvent: { he: 'האירוע לא נמצא.', ar: 'لم نجد هذه المناسبة.', en: 'There is no such event.' },
  cancelledIsFinal,
  unknownStatus: {
    he: 'סטטוס לא מוכר (status): הערכים האפשריים הם draft, published, cancelled, completed.',
    ar: 'حالة غير معروفة (status): القيم الممكنة: draft, published, cancelled, completed.',
    en: 'No such status (status): it must be one of: draft, published, cancelled, completed.',
  },
  alreadySo: (status: EventStatus): Words => ({
    he: `האירוע כבר ${statusNames[status].he} (status: ${status}). כדי לשמור שינויים אחרים אפשר לשלוח אותם בלי הסטטוס.`,
    ar: `المناسبة ${statusNames[status].ar} من قبل (status: ${status}). لحفظ تغييرات أخرى أرسلوها دون الحالة.`,
    en: `The event is ${statusNames[status].en} already (status: ${status}). To save other changes, send them without it.`,
  }),
  /** Warnings shown before a change is saved. */
  preview: {
    cancelled: {
      he: 'אין דרך חזרה מביטול: אי אפשר יהיה לערוך את האירוע. אפשר לשכפל אותו.',
      ar: 'لا رجعة عن الإلغاء: لن يمكن تعديل المناسبة بعده. يمكن نسخها.',
      en: 'There is no way back from cancelling: the event can’t be edited then. It can be duplicated.',
    },
    completed: {
      he: 'אין דרך חזרה: הסטטוס של אירוע שהסתיים כבר אינו משתנה. אפשר לשכפל אותו.',
      ar: 'لا رجعة: حالة المناسبة المنتهية لا تتغيّر. يمكن نسخها.',
      en: 'There is no way back: the status of a completed event changes no more. It can be duplicated.',
    },
    beforeItsDay: {
      he: 'האירוע עוד לא התחיל.',
      ar: 'لم تبدأ المناسبة بعد.',
      en: 'The event has not begun yet.',
    },
    guestsNotTold: (guests: number): Words => ({
      he: `${saidYes(guests).he} הודעת ביטול לא יוצאת מעצמה; אפשר לשלוח אותה אחרי הביטול (rounds, cancellation).`,
      ar: `${saidYes(guests).ar} رسالة الإلغاء لا تخرج تلقائيًا؛ يمكن إرسالها بعد الإلغاء (rounds, cancellation).`,
      en: `${saidYes(guests).en} No mail tells them by itself; it can be sent once the event is cancelled (rounds, cancellation).`,
    }),
    guestsNotToldOfMove: (guests: number): Words => ({
      he: `${saidYes(guests).he} הודעה על השינוי לא יוצאת מעצמה; אפשר לשלוח אותה אחריו (rounds, change).`,
      ar: `${saidYes(guests).ar} رسالة التغيير لا تخرج تلقائيًا؛ يمكن إرسالها بعده (rounds, change).`,
      en: `${saidYes(guests).en} No mail tells them of the change by itself; it can be sent afterwards (rounds, change).`,
    }),
    formerAddress: {
      he: 'שם המקום ישתנה והכתובת תישאר כפי שהיא; אם המקום אחר, יש לשנות גם אותה (venue_address).',
      ar: 'سيتغيّر اسم المكان ويبقى العنوان كما هو؛ إن كان المكان مختلفًا فيجب تغييره أيضًا (venue_address).',
      en: 'The venue’s name changes and its address stays; if it is another place, change that as well (venue_address).',
    },
    formerCoordinates: {
      he: 'המפה לא תוביל עוד לקואורדינטות שבהזמנה, שהן של המקום הקודם; אפשר לשלוח אותן שוב או אחרות (invitation, coordinates).',
      ar: 'لن تقود الخريطة بعد ذلك إلى الإحداثيات التي في الدعوة، فهي للمكان السابق؛ يمكن إرسالها مجددًا أو إرسال غيرها (invitation, coordinates).',
      en: 'The map will no longer lead to the invitation’s coordinates, which are the former place’s; send them again, or others (invitation, coordinates).',
    },
    formerTranslation: {
      he: 'מי שקוראים את ההזמנה בשפה אחרת יקראו את המקום כפי שהוא כתוב כאן, כי התרגום שבה הוא של המקום הקודם; אפשר לשלוח אותו שוב או אחר (invitation, venue_name, venue_address).',
      ar: 'من يقرأ الدعوة بلغة أخرى سيرى المكان كما هو مكتوب هنا، فالترجمة التي فيها هي للمكان السابق؛ يمكن إرسالها مجددًا أو إرسال غيرها (invitation, venue_name, venue_address).',
      en: 'Who reads the invitation in another language will read the venue as it is written here: the translation there is the former one’s; send it again, or another (invitation, venue_name, venue_address).',
    },
    fewerPlaces: (people: number, places: number): Words => ({
      he: `יותר אנשים מגיעים (${people.toLocaleString('he')}) מכפי שיהיו מקומות (${places.toLocaleString('he')}). מי שאישרו שומרים על מקומם.`,
      ar: `عدد القادمين (${people.toLocaleString('ar-u-nu-latn')}) أكبر من عدد الأماكن (${places.toLocaleString('ar-u-nu-latn')}). من أكّدوا يحتفظون بأماكنهم.`,
      en: `More people come (${people.toLocaleString('en')}) than there would be places (${places.toLocaleString('en')}). Who said yes keeps their place.`,
    }),
    roundsCalledOff: (rounds: number): Words => ({
      he:
        rounds === 1
          ? 'סבב הודעות אחד שנקבע להמשך לא יישלח.'
          : `${rounds === 2 ? 'שני' : rounds} סבבי הודעות שנקבעו להמשך לא יישלחו.`,
      ar: `عدد جولات الرسائل المقرّرة التي لن تُرسل: ${rounds}.`,
      en:
        rounds === 1
          ? '1 round that is set for later will not go out.'
          : `${rounds} rounds that are set for later will not go out.`,
    }),
  },
  moves: {
    draft: {
      he: 'אירוע בטיוטה (draft) אפשר לפרסם (published) או לבטל (cancelled).',
      ar: 'المسودة (draft) يمكن نشرها (published) أو إلغاؤها (cancelled).',
      en: 'A draft can be published or cancelled.',
    },
    published: {
      he: 'אירוע שפורסם (published) אפשר לסיים (completed) או לבטל (cancelled).',
      ar: 'المناسبة المنشورة (published) يمكن إنهاؤها (completed) أو إلغاؤها (cancelled).',
      en: 'A published event can be completed or cancelled.',
    },
    completed: {
      he: 'האירוע הסתיים (completed), והסטטוס שלו כבר אינו משתנה.',
      ar: 'انتهت المناسبة (completed)، وحالتها لم تعد تتغيّر.',
      en: 'The event is completed, and its status changes no more.',
    },
    cancelled: cancelledIsFinal,
  } satisfies Record<EventStatus, Words>,
} as const;

/** Labels of inputs that are not in the table of an event's fields. */
export const otherLabels: Readonly<Record<string, Words>> = {
  body: { he: 'גוף הבקשה', ar: 'محتوى الطلب', en: 'The body' },
  status: { he: 'סטטוס', ar: 'الحالة', en: 'Status' },
};
