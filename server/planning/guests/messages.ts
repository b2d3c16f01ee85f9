import type { Words } from '../../kernel/languages.ts';

/** What the guest API says. */
export const messages = {
  noSuchGuest: { he: 'האורח לא נמצא.', ar: 'لم نجد هذا الضيف.', en: 'There is no such guest.' },
  duplicatePhone: {
    he: 'כבר יש באירוע אורח עם מספר הטלפון הזה.',
    ar: 'في المناسبة ضيف آخر بهذا الرقم.',
    en: 'The event has a guest with this phone number already.',
  },
  duplicateEmail: {
    he: 'כבר יש באירוע אורח עם כתובת הדוא״ל הזאת.',
    ar: 'في المناسبة ضيف آخر بهذا البريد الإلكتروني.',
    en: 'The event has a guest with this email address already.',
  },
  full: {
    he: 'אין מספיק מקום להגדלה המבוקשת; המקומות שכבר נשמרו נשארים שמורים.',
    ar: 'لا توجد أماكن كافية للزيادة المطلوبة؛ الأماكن المحفوظة تبقى محفوظة.',
    en: 'There is not enough room for more people; the places that are kept stay kept.',
  },
  comingWithoutYes: {
    he: 'נשלח רק יחד עם אישור הגעה (rsvp_status: confirmed).',
    ar: 'يُرسل فقط مع تأكيد الحضور (rsvp_status: confirmed).',
    en: 'goes with a yes only (rsvp_status: confirmed).',
  },
  wrongFileType: {
    he: 'יש לשלוח קובץ CSV או XLSX: כגוף הבקשה (text/csv או application/vnd.openxmlformats-officedocument.spreadsheetml.sheet) או כטופס (multipart/form-data).',
    ar: 'يجب إرسال ملف CSV أو XLSX: كمحتوى للطلب (text/csv أو application/vnd.openxmlformats-officedocument.spreadsheetml.sheet) أو كنموذج (multipart/form-data).',
    en: 'Send a CSV or XLSX file: as the body (text/csv or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet) or as a form (multipart/form-data).',
  },
  fileTooLarge: {
    he: 'הקובץ גדול מדי; הגודל המרבי הוא 20 מגה־בייט (20 MiB).',
    ar: 'الملف كبير جدًا؛ الحد الأقصى 20 ميبيبايت (20 MiB).',
    en: 'The file is too large; at most 20 MiB are accepted.',
  },
  noFile: { he: 'לא נשלח קובץ.', ar: 'لم يُرسل ملف.', en: 'No file was sent.' },
  unreadable: {
    broken: {
      he: 'אי אפשר לקרוא את הקובץ; יש לשלוח CSV או XLSX תקין.',
      ar: 'لا يمكن قراءة الملف؛ أرسل ملف CSV أو XLSX سليمًا.',
      en: 'The file can’t be read; send a sound CSV or XLSX.',
    },
    undecodable: {
      he: 'יש בקובץ תווים שאי אפשר לקרוא; יש לשמור אותו כ־CSV UTF-8 או כ־XLSX ולשלוח שוב.',
      ar: 'في الملف رموز تتعذّر قراءتها؛ احفظه بصيغة CSV UTF-8 أو XLSX ثم أرسله من جديد.',
      en: 'The file has characters that can’t be read; save it as CSV UTF-8 or as XLSX and send it again.',
    },
    old_excel: {
      he: 'זהו קובץ Excel בתבנית ישנה או מוצפן; יש לשמור אותו כ־XLSX בלי סיסמה ולשלוח שוב.',
      ar: 'هذا ملف Excel بصيغة قديمة أو مشفّر؛ احفظه بصيغة XLSX دون كلمة مرور ثم أرسله من جديد.',
      en: 'This is an Excel file of an old format, or encrypted; save it as XLSX without a password and send it again.',
    },
    encrypted: {
      he: 'הקובץ מוגן בסיסמה; יש לשמור אותו בלי סיסמה ולשלוח שוב.',
      ar: 'الملف محمي بكلمة مرور؛ احفظه دونها ثم أرسله من جديد.',
      en: 'The file is protected by a password; save it without one and send it again.',
    },
    too_many_rows: {
      he: 'יש בקובץ יותר מ־50,000 שורות; אפשר לחלק אותו לכמה קבצים.',
      ar: 'في الملف أكثر من 50,000 صف؛ يمكن تقسيمه إلى عدة ملفات.',
      en: 'The file has more than 50,000 rows; split it into several.',
    },
    too_large: {
      he: 'הקובץ נפרש לגודל רב מדי.',
      ar: 'يصبح الملف كبيرًا جدًا عند فكّه.',
      en: 'The file unfolds to too much.',
    },
    empty: { he: 'הקובץ ריק.', ar: 'الملف فارغ.', en: 'The file is empty.' },
  },
  malformedForm: {
    he: 'לא הצלחנו לקרוא את הטופס. נדרש טופס multipart/form-data שלם עם קובץ אחד.',
    ar: 'تعذّرت قراءة النموذج. يلزم نموذج multipart/form-data كامل فيه ملف واحد.',
    en: 'The form can’t be read. It must be a whole multipart/form-data form with one file.',
  },
  noNameColumn: {
    he: 'אין בקובץ עמודה של שמות. בשורה הראשונה נדרשות כותרות, למשל: שם, טלפון, דוא״ל, תגיות, מספר מוזמנים.',
    ar: 'لا يوجد في الملف عمود للأسماء. يلزم أن يحتوي الصف الأول على عناوين، مثل: name, phone, email, tags, party size.',
    en: 'The file has no column of names. The first row needs headings, such as: name, phone, email, tags, party size.',
  },
  rowsRefused: (count: number): Words => ({
    he:
      count === 1
        ? 'שורה אחת נדחתה, ולכן דבר לא נשמר. אפשר לתקן אותה ולשלוח שוב.'
        : `${count.toLocaleString('he')} שורות נדחו, ולכן דבר לא נשמר. אפשר לתקן אותן ולשלוח שוב.`,
    ar: `عدد الصفوف المرفوضة: ${count.toLocaleString('ar-u-nu-latn')}، ولذلك لم يُحفظ شيء. يمكن تصحيحها والإرسال من جديد.`,
    en:
      count === 1
        ? 'One row was refused, so nothing was stored. Mend it and send the file again.'
        : `${count.toLocaleString('en')} rows were refused, so nothing was stored. Mend them and send the file again.`,
  }),
  sameAsRow: (row: number): Words => ({
    he: `אותו טלפון או אותו דוא״ל כמו בשורה ${row}.`,
    ar: `الهاتف أو البريد الإلكتروني نفسه كما في الصف ${row}.`,
    en: `The same phone or email as in row ${row}.`,
  }),
  twoGuests: {
    he: 'הטלפון שייך לאורח אחד והדוא״ל לאורח אחר.',
    ar: 'الهاتف لضيف والبريد الإلكتروني لضيف آخر.',
    en: 'The phone belongs to one guest and the email to another.',
  },
} as const;
