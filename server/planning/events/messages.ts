import type { Words } from '../../kernel/languages.ts';
import type { Status } from './lifecycle.ts';

const cancelledIsFinal = {
  he: 'האירוע בוטל ואי אפשר לערוך אותו.',
  ar: 'أُلغيت المناسبة ولا يمكن تعديلها.',
  en: 'The event is cancelled and can’t be changed.',
};

/** What the event API says. What any API says is in kernel/http/messages.ts. */
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
  } satisfies Record<Status, Words>,
} as const;

/** The fields' names for people, as error sentences use them. */
export const fieldLabels: Readonly<Record<string, Words>> = {
  body: { he: 'גוף הבקשה', ar: 'محتوى الطلب', en: 'The body' },
  title: { he: 'שם האירוע', ar: 'اسم المناسبة', en: 'Title' },
  event_date: { he: 'מועד האירוע', ar: 'موعد المناسبة', en: 'Date' },
  venue_name: { he: 'שם המקום', ar: 'اسم المكان', en: 'Venue' },
  venue_address: { he: 'כתובת המקום', ar: 'عنوان المكان', en: 'Address of the venue' },
  description: { he: 'תיאור', ar: 'الوصف', en: 'Description' },
  max_guests: { he: 'מספר המוזמנים המרבי', ar: 'الحد الأقصى للمدعوين', en: 'Most guests' },
  venue_capacity: { he: 'תפוסת המקום', ar: 'سعة المكان', en: 'Capacity of the venue' },
  max_plus_ones_buffer: { he: 'מספר המלווים הנוספים', ar: 'عدد المرافقين الإضافيين', en: 'Extra plus-ones' },
  kashrut_level: { he: 'רמת הכשרות', ar: 'مستوى الكوشير', en: 'Kashrut' },
  noise_curfew_time: { he: 'שעת סיום הרעש', ar: 'ساعة انتهاء الضجيج', en: 'Noise curfew' },
  language_pref: { he: 'שפת האירוע', ar: 'لغة المناسبة', en: 'Language' },
  budget: { he: 'תקציב', ar: 'الميزانية', en: 'Budget' },
  retention_policy_days: { he: 'ימי שמירת המידע', ar: 'أيام حفظ البيانات', en: 'Days data is kept' },
  status: { he: 'סטטוס', ar: 'الحالة', en: 'Status' },
};
