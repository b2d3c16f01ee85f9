/** Texts of the agenda API. */
export const messages = {
  noSuchItem: {
    he: 'הפריט לא נמצא בלוח הזמנים.',
    ar: 'لم نجد هذا البند في جدول الأعمال.',
    en: 'There is no such item in the agenda.',
  },
  tooMany: (most: number) => ({
    he: `בלוח הזמנים של אירוע יש לכל היותר ${most} פריטים.`,
    ar: `يتسع جدول أعمال المناسبة لـ${most} بند على الأكثر.`,
    en: `An event’s agenda has at most ${most} items.`,
  }),
  noDate: {
    he: 'לאירוע אין תאריך, ולכן אי אפשר לקבוע לו לוח זמנים.',
    ar: 'ليس للمناسبة تاريخ، ولذلك لا يمكن وضع جدول أعمال لها.',
    en: 'can’t be set: the event has no date.',
  },
  afterEnd: {
    he: 'הפריט מתחיל אחרי סוף האירוע. האם התאריך והשעה נכונים?',
    ar: 'يبدأ هذا البند بعد نهاية المناسبة. هل التاريخ والساعة صحيحان؟',
    en: 'This starts after the end of the event. Are the date and time right?',
  },
  dayBefore: {
    he: 'הפריט מתחיל ביום שלפני האירוע. האם התאריך נכון?',
    ar: 'يبدأ هذا البند في اليوم السابق للمناسبة. هل التاريخ صحيح؟',
    en: 'This starts on the day before the event. Is the date right?',
  },
  anotherDay: {
    he: 'הפריט מתחיל אחרי יום האירוע. האם התאריך נכון? אם האירוע נמשך יותר מיום, אפשר לרשום בהזמנה מתי הוא נגמר.',
    ar: 'يبدأ هذا البند بعد يوم المناسبة. هل التاريخ صحيح؟ إن كانت المناسبة تستمر أكثر من يوم، فسجّلوا نهايتها في الدعوة.',
    en: 'This starts after the day of the event. Is the date right? If the event lasts longer than a day, set its end in the invitation.',
  },
  farFromEvent: {
    he: 'צריך להיות לכל היותר יום לפני תחילת האירוע ו־31 ימים אחריה.',
    ar: 'يجب أن يكون قبل بداية المناسبة بيوم على الأكثر، وبعدها بـ31 يومًا على الأكثر.',
    en: 'must be at most a day before the event begins and 31 days after.',
  },
  endsBefore: {
    he: 'צריך להיות אחרי ההתחלה, ולכל היותר 31 ימים אחריה.',
    ar: 'يجب أن يكون بعد البداية، وبما لا يزيد على 31 يومًا.',
    en: 'must be after the start, and at most 31 days later.',
  },
} as const;
