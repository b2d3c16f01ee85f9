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

/** The fields' names for people that are no fields of an event's table. */
export const otherLabels: Readonly<Record<string, Words>> = {
  body: { he: 'גוף הבקשה', ar: 'محتوى الطلب', en: 'The body' },
  status: { he: 'סטטוס', ar: 'الحالة', en: 'Status' },
};
