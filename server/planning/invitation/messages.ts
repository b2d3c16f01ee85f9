export const messages = {
  hostsForm: {
    he: 'שמות בלבד, בלי כתובות ובלי הסימנים @ < >.',
    ar: 'أسماء فقط، دون عناوين ودون الرموز @ < >.',
    en: 'must be names only, without addresses and the signs @ < >.',
  },
  coordinatesForm: {
    he: 'נדרשים קו רוחב וקו אורך כמו במפות, למשל 32.1741, 34.9012.',
    ar: 'المطلوب خط العرض وخط الطول كما في الخرائط، مثلًا 32.1741, 34.9012.',
    en: 'must be a latitude and a longitude as copied from a map, for example 32.1741, 34.9012.',
  },
  urlForm: {
    he: 'נדרשת כתובת של דף, שמתחילה ב־https://, בלי שם משתמש וסיסמה.',
    ar: 'المطلوب عنوان صفحة يبدأ بـ https://، دون اسم مستخدم وكلمة مرور.',
    en: 'must be the address of a page, beginning with https://, without a user name or password.',
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
