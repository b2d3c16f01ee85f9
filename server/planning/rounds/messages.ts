import type { Words } from '../../kernel/languages.ts';

/** Texts of the API of rounds. */
export const messages = {
  warnings: {
    nobody: {
      he: 'המשלוח לא ייצא לאף אחד.',
      ar: 'لن يصل هذا الإرسال إلى أحد.',
      en: 'It would go to nobody.',
    },
    notInvited: (guests: number): Words => ({
      he: `${guests === 1 ? 'אורח אחד שעוד לא הוזמן יקבל' : `${guests === 2 ? 'שני' : guests} אורחים שעוד לא הוזמנו יקבלו`} תזכורת. בפעם הראשונה שולחים הזמנה.`,
      ar: `عدد الضيوف الذين سيصلهم تذكير ولم يُدعوا بعد: ${guests}. في المرة الأولى تُرسل دعوة.`,
      en: `${guests === 1 ? 'One guest who was' : `${guests} guests who were`} not invited yet would get a reminder. The first time, send an invitation.`,
    }),
    dayOfRest: {
      he: 'זה יוצא בשבת או בחג.',
      ar: 'يخرج هذا في السبت أو في عيد.',
      en: 'It would go out on Shabbat or a holiday.',
    },
    noReply: {
      he: 'לא ידועה לנו כתובת מייל שלכם, ולכן מי שישיב להודעה לא יגיע אליכם ולא יקבל רישום ליומן. אפשר לקבוע בהזמנה כתובת מייל לפניות.',
      ar: 'لا نعرف لكم عنوان بريد إلكتروني، فمن يردّ على الرسالة لا يصل إليكم، ولا تُرفق بها دعوة للتقويم. يمكن تحديد بريد إلكتروني للتواصل في الدعوة.',
      en: 'No email address of yours is known: replies to the mail would not reach you, and it has no calendar entry. Give the invitation an email address for questions.',
    },
  },
  nobody: {
    he: 'יש לבחור למי לשלוח: כולם, חלק מהאורחים, או אורחים בשמם (guest_ids, filter).',
    ar: 'اختر لمن ترسل: للجميع، لبعض الضيوف، أو لضيوف بأسمائهم (guest_ids, filter).',
    en: 'Choose whom to send to: everybody, some of the guests, or guests by name (guest_ids, filter).',
  },
  noSubject: {
    he: 'רק למייל יש נושא.',
    ar: 'الموضوع للبريد الإلكتروني فقط.',
    en: 'Only mail has a subject.',
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
    he: 'רק בסבב טלפונים רושמים שיחות.',
    ar: 'تُسجَّل المكالمات في جولة هاتفية فقط.',
    en: 'Calls are taken down in a round by phone only.',
  },
  tooManyCalls: {
    he: 'נרשמו כבר 50 שיחות לאורח הזה.',
    ar: 'سُجّلت 50 مكالمة لهذا الضيف.',
    en: 'Fifty calls to this guest were taken down already.',
  },
  notAgain: {
    he: 'אפשרי רק כשמתקשרים שוב.',
    ar: 'ممكن فقط عند الاتصال مجددًا.',
    en: 'is only for a guest to be called again.',
  },
  notReached: {
    he: 'תשובה נרשמת רק כשדיברתם.',
    ar: 'يُسجَّل الرد فقط عند التحدث.',
    en: 'An answer can be noted only of a guest who was reached.',
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
      he: 'האירוע עדיין טיוטה. כדי לכתוב לאורחים, יש לפרסם אותו תחילה.',
      ar: 'المناسبة ما زالت مسودة. لمراسلة الضيوف، انشرها أولًا.',
      en: 'The event is still a draft. To write to guests, publish it first.',
    },
    cancelled: {
      he: 'האירוע בוטל. אפשר לשלוח רק הודעת ביטול או הודעה חופשית.',
      ar: 'أُلغيت المناسبة. يمكن إرسال إشعار بالإلغاء أو رسالة حرة فقط.',
      en: 'The event is cancelled. Only a cancellation or a message of your own can be sent.',
    },
    completed: {
      he: 'האירוע הסתיים. אפשר לשלוח רק תודה או הודעה חופשית.',
      ar: 'انتهت المناسبة. يمكن إرسال شكر أو رسالة حرة فقط.',
      en: 'The event is completed. Only thanks or a message of your own can be sent.',
    },
    not_cancelled: {
      he: 'האירוע לא בוטל. כדי להודיע על ביטול, יש לבטל אותו תחילה.',
      ar: 'لم تُلغَ المناسبة. للإشعار بالإلغاء، ألغِها أولًا.',
      en: 'The event is not cancelled. To tell guests that it is, cancel it first.',
    },
    begun: {
      he: 'האירוע כבר התחיל.',
      ar: 'بدأت المناسبة بالفعل.',
      en: 'The event has begun already.',
    },
    not_yet: {
      he: 'האירוע עוד לא התקיים. אפשר לקבוע מועד אחריו, והתודה תישלח אז.',
      ar: 'لم تُقَم المناسبة بعد. يمكن تحديد موعد بعدها، فيُرسل الشكر حينها.',
      en: 'The event has not been yet. Set a time after it, and the thanks go out then.',
    },
  },
} as const;
