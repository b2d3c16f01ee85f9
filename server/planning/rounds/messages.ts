import type { Words } from '../../kernel/languages.ts';

/** What the API of rounds says. */
export const messages = {
  warnings: {
    nobody: {
      he: 'המשלוח לא ייצא לאף אחד.',
      ar: 'لن يصل هذا الإرسال إلى أحد.',
      en: 'It would go to nobody.',
    },
    notInvited: (guests: number): Words => ({
      he: `${guests === 1 ? 'אורח אחד שעוד לא הוזמן יקבל' : `${guests === 2 ? 'שני' : guests} אורחים שעוד לא הוזמנו יקבלו`} תזכורת. להזמנה ראשונה: kind: invitation.`,
      ar: `عدد الضيوف الذين سيصلهم تذكير ولم يُدعوا بعد: ${guests}. للدعوة الأولى: kind: invitation.`,
      en: `${guests === 1 ? 'One guest who was' : `${guests} guests who were`} not invited yet would get a reminder. For a first invitation: kind: invitation.`,
    }),
    dayOfRest: {
      he: 'זה יוצא בשבת או בחג.',
      ar: 'يخرج هذا في السبت أو في عيد.',
      en: 'It would go out on Shabbat or a holiday.',
    },
    noReply: {
      he: 'לא ידועה לנו כתובת דוא״ל שלכם, ולכן מי שישיב להודעה לא יגיע אליכם ולא יקבל רישום ליומן. כתובת לפניות נקבעת בהזמנה (contact_email).',
      ar: 'لا نعرف لكم عنوان بريد إلكتروني، فمن يردّ على الرسالة لا يصل إليكم، ولا تُرفق بها دعوة للتقويم. يُحدَّد عنوان للتواصل في الدعوة (contact_email).',
      en: 'No email address of yours is known: replies to the mail would not reach you, and it has no calendar entry. Set one in the invitation (contact_email).',
    },
  },
  nobody: {
    he: 'יש לבחור למי לשלוח: רשימת אורחים (guest_ids) או סינון (filter); סינון ריק הוא כל האורחים.',
    ar: 'اختر لمن ترسل: قائمة ضيوف (guest_ids) أو تصفية (filter)؛ التصفية الفارغة تعني جميع الضيوف.',
    en: 'Choose whom to send to: a list of guests (guest_ids) or a filter; an empty filter means all guests.',
  },
  noSubject: {
    he: 'רק למשלוח בדוא״ל (channel: mail) יש נושא.',
    ar: 'الموضوع للإرسال بالبريد الإلكتروني فقط (channel: mail).',
    en: 'Only mail (channel: mail) has a subject.',
  },
  tooLong: (most: number) => ({
    he: `בדרך השליחה הזאת יש מקום ל־${most} תווים.`,
    ar: `تتسع طريقة الإرسال هذه لـ ${most} حرف.`,
    en: `has room for ${most} characters on this channel.`,
  }),
  tooFar: {
    he: 'צריך להיות בתוך שנתיים מהיום.',
    ar: 'يجب أن يكون خلال سنتين من اليوم.',
    en: 'must be within two years from now.',
  },
  noSuchRound: { he: 'המשלוח לא נמצא.', ar: 'لم نجد هذا الإرسال.', en: 'There is no such round.' },
  tooMany: {
    he: 'נשלחו היום כבר 50 משלוחים לאירוע הזה; אפשר להמשיך מחר.',
    ar: 'أُرسلت اليوم 50 دفعة لهذه المناسبة؛ يمكن المتابعة غدًا.',
    en: 'Fifty rounds were sent for this event within a day; go on tomorrow.',
  },
  notByHand: {
    he: 'המשלוח הזה יוצא בעצמו, ואין בו מה לעשות ידנית.',
    ar: 'يُرسل هذا تلقائيًا، ولا شيء فيه يُفعل يدويًا.',
    en: 'This round goes out by itself; there is nothing in it to do by hand.',
  },
  notByPhone: {
    he: 'רק במשלוח טלפוני (channel: phone) רושמים שיחות.',
    ar: 'تُسجَّل المكالمات في الإرسال الهاتفي فقط (channel: phone).',
    en: 'Calls are taken down in a round by phone (channel: phone) only.',
  },
  tooManyCalls: {
    he: 'נרשמו כבר 50 שיחות לאורח הזה.',
    ar: 'سُجّلت 50 مكالمة لهذا الضيف.',
    en: 'Fifty calls to this guest were taken down already.',
  },
  notAgain: {
    he: 'אפשרי רק כשמתקשרים שוב (outcome: call_again).',
    ar: 'ممكن فقط عند الاتصال مجددًا (outcome: call_again).',
    en: 'goes with outcome: call_again only.',
  },
  notReached: {
    he: 'תשובה נרשמת רק כשדיברתם (outcome: reached).',
    ar: 'يُسجَّل الرد فقط عند التحدث (outcome: reached).',
    en: 'An answer goes with outcome: reached only.',
  },
  notMeant: {
    he: 'המשלוח הזה לא מיועד לאורח הזה.',
    ar: 'هذا الإرسال ليس لهذا الضيف.',
    en: 'The round is not for this guest.',
  },
  notWaiting: {
    he: 'המשלוח כבר יצא לדרך או בוטל, ואי אפשר לשנות אותו.',
    ar: 'خرج هذا الإرسال أو أُلغي، ولا يمكن تغييره.',
    en: 'The round has gone out or was called off, and can’t be changed.',
  },
  hindrances: {
    draft: {
      he: 'האירוע עדיין טיוטה. כדי לכתוב לאורחים, יש לפרסם אותו תחילה (status: published).',
      ar: 'المناسبة ما زالت مسودة. لمراسلة الضيوف، انشرها أولًا (status: published).',
      en: 'The event is still a draft. To write to guests, publish it first (status: published).',
    },
    cancelled: {
      he: 'האירוע בוטל. אפשר לשלוח רק הודעת ביטול (cancellation) או הודעה חופשית (message).',
      ar: 'أُلغيت المناسبة. يمكن إرسال إشعار بالإلغاء (cancellation) أو رسالة حرة (message) فقط.',
      en: 'The event is cancelled. Only a cancellation or a message of your own can be sent.',
    },
    completed: {
      he: 'האירוע הסתיים. אפשר לשלוח רק תודה (thanks) או הודעה חופשית (message).',
      ar: 'انتهت المناسبة. يمكن إرسال شكر (thanks) أو رسالة حرة (message) فقط.',
      en: 'The event is completed. Only thanks or a message of your own can be sent.',
    },
    not_cancelled: {
      he: 'האירוע לא בוטל. כדי להודיע על ביטול, יש לבטל אותו תחילה (status: cancelled).',
      ar: 'لم تُلغَ المناسبة. للإشعار بالإلغاء، ألغِها أولًا (status: cancelled).',
      en: 'The event is not cancelled. To tell guests that it is, cancel it first (status: cancelled).',
    },
    begun: {
      he: 'האירוע כבר התחיל.',
      ar: 'بدأت المناسبة بالفعل.',
      en: 'The event has begun already.',
    },
    not_yet: {
      he: 'האירוע עוד לא התקיים. אפשר לקבוע שהתודה תישלח אחריו (send_at).',
      ar: 'لم تُقَم المناسبة بعد. يمكن جدولة الشكر إلى ما بعدها (send_at).',
      en: 'The event has not been yet. Thanks can be set to go out after it (send_at).',
    },
  },
} as const;
