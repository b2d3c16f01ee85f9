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
    en: 'This event is shared with you for viewing only.',
  },
  withoutContacts: {
    he: 'האירוע הזה משותף איתך בלי פרטי הקשר של האורחים, ובלי הספקים והתקציב.',
    ar: 'هذه المناسبة مشتركة معك دون بيانات الاتصال بالضيوف، ودون المورّدين والميزانية.',
    en: 'This event is shared with you without the guests’ contact details, vendors and budget.',
  },
  ownerOnly: {
    he: 'רק מי שיצר את האירוע יכול לעשות את זה.',
    ar: 'هذا متاح لمن أنشأ المناسبة فقط.',
    en: 'Only the person who created the event can do this.',
  },
  noSuchEvent: { he: 'האירוע לא נמצא.', ar: 'لم نجد هذه المناسبة.', en: 'There is no such event.' },
  cancelledIsFinal,
  unknownStatus: {
    he: 'הסטטוס לא מוכר. אירוע הוא טיוטה (draft), פורסם (published), בוטל (cancelled) או הסתיים (completed).',
    ar: 'الحالة غير معروفة. المناسبة مسودة (draft) أو منشورة (published) أو ملغاة (cancelled) أو منتهية (completed).',
    en: 'There is no such status. An event is a draft, published, cancelled or completed.',
  },
  alreadySo: (status: EventStatus): Words => ({
    he: `האירוע כבר ${statusNames[status].he}. כדי לשמור שינויים אחרים אפשר לשלוח אותם בלי הסטטוס.`,
    ar: `المناسبة ${statusNames[status].ar} من قبل. لحفظ تغييرات أخرى أرسلوها دون الحالة.`,
    en: `The event is already ${statusNames[status].en}. To save other changes, send them without the status.`,
  }),
  /** Warnings about a change of an event, shown before the change is saved. */
  preview: {
    cancelled: {
      he: 'הביטול הוא סופי: אחריו אי אפשר לערוך את האירוע, אבל אפשר לשכפל אותו.',
      ar: 'الإلغاء نهائي: لا يمكن تعديل المناسبة بعده، لكن يمكن نسخها.',
      en: 'Cancelling is final: a cancelled event can’t be edited, but you can duplicate it.',
    },
    completed: {
      he: 'סיום האירוע הוא סופי: אי אפשר לשנות אחריו את הסטטוס, אבל אפשר לשכפל את האירוע.',
      ar: 'إنهاء المناسبة لا رجعة فيه: لا يمكن تغيير حالتها بعده، لكن يمكن نسخها.',
      en: 'Completing is final: the status of a completed event can’t be changed, but you can duplicate the event.',
    },
    beforeItsDay: {
      he: 'האירוע עוד לא התחיל.',
      ar: 'لم تبدأ المناسبة بعد.',
      en: 'The event has not started yet.',
    },
    guestsNotTold: (guests: number): Words => ({
      he: `${saidYes(guests).he} הודעת ביטול לא נשלחת אוטומטית; אפשר לשלוח אותה אחרי הביטול.`,
      ar: `${saidYes(guests).ar} رسالة الإلغاء لا تُرسل تلقائيًا؛ يمكن إرسالها بعد الإلغاء.`,
      en: `${saidYes(guests).en} Guests are not notified automatically; you can send them a message after cancelling the event.`,
    }),
    guestsNotToldOfMove: (guests: number): Words => ({
      he: `${saidYes(guests).he} הודעה על השינוי לא נשלחת אוטומטית; אפשר לשלוח אותה אחרי השמירה.`,
      ar: `${saidYes(guests).ar} رسالة التغيير لا تُرسل تلقائيًا؛ يمكن إرسالها بعد الحفظ.`,
      en: `${saidYes(guests).en} Guests are not notified of the change automatically; you can send them a message after saving it.`,
    }),
    formerAddress: {
      he: 'שם המקום ישתנה והכתובת תישאר כפי שהיא; אם זה מקום אחר, צריך לעדכן גם את הכתובת.',
      ar: 'سيتغيّر اسم المكان ويبقى العنوان كما هو؛ إن كان المكان مختلفًا فيجب تغيير العنوان أيضًا.',
      en: 'The venue’s name changes, but its address stays the same; if it is a different place, change the address too.',
    },
    formerCoordinates: {
      he: 'המפה לא תוביל עוד לקואורדינטות שבהזמנה, כי הן של המקום הקודם; אפשר לקבוע אותן מחדש בהזמנה.',
      ar: 'لن تقود الخريطة بعد ذلك إلى الإحداثيات التي في الدعوة، فهي للمكان السابق؛ يمكن تحديدها من جديد في الدعوة.',
      en: 'The map will no longer use the coordinates in the invitation, which belong to the former venue; you can set them again in the invitation.',
    },
    formerTranslation: {
      he: 'מי שקוראים את ההזמנה בשפה אחרת יראו את המקום כפי שהוא כתוב כאן, כי התרגום שבהזמנה הוא של המקום הקודם; אפשר לעדכן אותו בהזמנה.',
      ar: 'من يقرأ الدعوة بلغة أخرى سيرى المكان كما هو مكتوب هنا، فالترجمة التي في الدعوة هي للمكان السابق؛ يمكن تحديثها في الدعوة.',
      en: 'Guests who read the invitation in another language will see the venue as it is written here, because the translation in the invitation belongs to the former venue; you can update it in the invitation.',
    },
    fewerPlaces: (people: number, places: number): Words => ({
      he: `יותר אנשים מגיעים (${people.toLocaleString('he')}) מכפי שיהיו מקומות (${places.toLocaleString('he')}). מי שאישרו שומרים על מקומם.`,
      ar: `عدد القادمين (${people.toLocaleString('ar-u-nu-latn')}) أكبر من عدد الأماكن (${places.toLocaleString('ar-u-nu-latn')}). من أكّدوا يحتفظون بأماكنهم.`,
      en: `More people are coming (${people.toLocaleString('en')}) than there would be places (${places.toLocaleString('en')}). Guests who said yes keep their places.`,
    }),
    roundsCalledOff: (rounds: number): Words => ({
      he:
        rounds === 1
          ? 'הודעה אחת שתוזמנה להמשך לא תישלח.'
          : `${rounds === 2 ? 'שתי' : rounds} הודעות שתוזמנו להמשך לא יישלחו.`,
      ar: `عدد الرسائل المجدولة التي لن تُرسل: ${rounds}.`,
      en:
        rounds === 1
          ? '1 scheduled message will not be sent.'
          : `${rounds} scheduled messages will not be sent.`,
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
      he: 'האירוע הסתיים (completed), ואי אפשר לשנות את הסטטוס שלו.',
      ar: 'انتهت المناسبة (completed)، ولا يمكن تغيير حالتها.',
      en: 'The event is completed, and its status can’t be changed.',
    },
    cancelled: cancelledIsFinal,
  } satisfies Record<EventStatus, Words>,
} as const;

/** Labels, for error messages, of parts of a request that are not in the table of an event's fields. */
export const otherLabels: Readonly<Record<string, Words>> = {
  body: { he: 'גוף הבקשה', ar: 'محتوى الطلب', en: 'The body' },
  status: { he: 'סטטוס', ar: 'الحالة', en: 'Status' },
};
