import type { Words } from '../../kernel/languages.ts';

/** Texts of the API of rounds (messages to many guests). */
export const messages = {
  warnings: {
    nobody: {
      he: 'ההודעה לא תישלח לאף אחד.',
      ar: 'لن تُرسل هذه الرسالة إلى أحد.',
      en: 'Nobody would get this message.',
    },
    notInvited: (guests: number): Words => ({
      he: `${guests === 1 ? 'אורח אחד שעוד לא הוזמן יקבל' : `${guests === 2 ? 'שני' : guests} אורחים שעוד לא הוזמנו יקבלו`} תזכורת. בפעם הראשונה שולחים הזמנה.`,
      ar: `عدد الضيوف الذين سيصلهم تذكير ولم يُدعوا بعد: ${guests}. في المرة الأولى تُرسل دعوة.`,
      en: `${guests === 1 ? 'One guest who has' : `${guests} guests who have`} not been invited yet would get a reminder. Send them an invitation first.`,
    }),
    invitedBefore: (guests: number): Words => ({
      he: `${guests === 1 ? 'אורח אחד שכבר הוזמן יקבל' : `${guests === 2 ? 'שני' : guests} אורחים שכבר הוזמנו יקבלו`} הזמנה נוספת.`,
      ar: `عدد الضيوف الذين دُعوا من قبل وستصلهم دعوة أخرى: ${guests}.`,
      en: `${guests === 1 ? 'One guest who has' : `${guests} guests who have`} already been invited would get another invitation.`,
    }),
    dayOfRest: {
      he: 'ההודעה תישלח בשבת או בחג.',
      ar: 'ستُرسل الرسالة في السبت أو في عيد.',
      en: 'The message would be sent on Shabbat or a holiday.',
    },
    noReply: {
      he: 'לא ידועה לנו כתובת מייל שלכם, ולכן תשובות להודעה לא יגיעו אליכם, ולא יצורף אליה זימון ליומן. אפשר לקבוע בהזמנה כתובת מייל לפניות.',
      ar: 'لا نعرف لكم عنوان بريد إلكتروني، فمن يردّ على الرسالة لا يصل إليكم، ولا تُرفق بها دعوة للتقويم. يمكن تحديد بريد إلكتروني للتواصل في الدعوة.',
      en: 'We don’t know your email address, so replies would not reach you, and the mail has no calendar entry. You can set a contact email address in the invitation.',
    },
  },
  nobody: {
    he: 'יש לבחור למי לשלוח: לכולם, לחלק מהאורחים או לאורחים מסוימים.',
    ar: 'اختاروا لمن تُرسل: للجميع، لبعض الضيوف، أو لضيوف محدّدين.',
    en: 'Choose the recipients: everybody, some of the guests, or individual guests.',
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
  noSuchRound: { he: 'ההודעה לא נמצאה.', ar: 'لم نجد هذه الرسالة.', en: 'There is no such message.' },
  tooMany: {
    he: 'באירוע הזה נשלחו כבר 50 הודעות ביממה האחרונה; אפשר להמשיך מחר.',
    ar: 'أُرسلت لهذه المناسبة 50 رسالة خلال يوم؛ يمكن المتابعة غدًا.',
    en: '50 messages have already been sent for this event within a day; you can continue tomorrow.',
  },
  notByHand: {
    he: 'ההודעה הזאת נשלחת אוטומטית, ואין צורך לשלוח אותה ידנית.',
    ar: 'تُرسل هذه الرسالة تلقائيًا، ولا حاجة إلى إرسالها يدويًا.',
    en: 'This message is sent automatically; there is nothing to send by hand.',
  },
  notByPhone: {
    he: 'אפשר לרשום שיחות רק בסבב טלפונים.',
    ar: 'يمكن تسجيل المكالمات في جولة هاتفية فقط.',
    en: 'Calls can be recorded only in a round of phone calls.',
  },
  tooManyCalls: {
    he: 'נרשמו כבר 50 שיחות לאורח הזה.',
    ar: 'سُجّلت 50 مكالمة لهذا الضيف.',
    en: '50 calls to this guest have already been recorded.',
  },
  notAgain: {
    he: 'אפשרי רק כשמתקשרים שוב.',
    ar: 'ممكن فقط عند الاتصال مجددًا.',
    en: 'can be set only if the guest is to be called again.',
  },
  notReached: {
    he: 'תשובה נרשמת רק כשדיברתם.',
    ar: 'يُسجَّل الرد فقط عند التحدث.',
    en: 'can be recorded only if the guest was reached.',
  },
  notMeant: {
    he: 'ההודעה הזאת לא מיועדת לאורח הזה.',
    ar: 'هذه الرسالة ليست لهذا الضيف.',
    en: 'This message is not for this guest.',
  },
  notWaiting: {
    he: 'ההודעה כבר נשלחה או בוטלה, ואי אפשר לשנות אותה.',
    ar: 'أُرسلت هذه الرسالة أو أُلغيت، ولا يمكن تغييرها.',
    en: 'The message has already been sent or cancelled, and can’t be changed.',
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
      en: 'The event is not cancelled. To notify guests of a cancellation, cancel the event first.',
    },
    begun: {
      he: 'האירוע כבר התחיל.',
      ar: 'بدأت المناسبة بالفعل.',
      en: 'The event has already started.',
    },
    not_yet: {
      he: 'האירוע עוד לא התקיים. אפשר לקבוע מועד אחריו, והתודה תישלח אז.',
      ar: 'لم تُقَم المناسبة بعد. يمكن تحديد موعد بعدها، فيُرسل الشكر حينها.',
      en: 'The event has not taken place yet. Choose a time after it, and the thank-you message will be sent then.',
    },
  },
} as const;
