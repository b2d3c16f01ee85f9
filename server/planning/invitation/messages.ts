/** What the API of an event's invitation says. */
export const messages = {
  hostsForm: {
    he: 'שמות בלבד, בלי כתובות ובלי הסימנים @ < >.',
    ar: 'أسماء فقط، دون عناوين ودون الرموز @ < >.',
    en: 'must be names alone, without addresses and the signs @ < >.',
  },
  endsBefore: {
    he: 'צריך להיות אחרי תחילת האירוע, ולכל היותר 31 ימים אחריה.',
    ar: 'يجب أن يكون بعد بداية المناسبة، وبما لا يزيد على 31 يومًا.',
    en: 'must be after the event begins, and at most 31 days later.',
  },
  noDate: {
    he: 'לאירוע אין תאריך, ולכן אי אפשר לקבוע מתי הוא מסתיים.',
    ar: 'ليس للمناسبة تاريخ، ولذلك لا يمكن تحديد موعد انتهائها.',
    en: 'can’t be set: the event has no date.',
  },
} as const;
