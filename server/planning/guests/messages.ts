/** What the guest API says, in Hebrew. */
export const messages = {
  noSuchGuest: 'האורח לא נמצא.',
  duplicatePhone: 'כבר יש באירוע אורח עם מספר הטלפון הזה.',
  duplicateEmail: 'כבר יש באירוע אורח עם כתובת הדוא״ל הזאת.',
  full: 'אין מספיק מקום להגדלה המבוקשת; המקומות שכבר נשמרו נשארים שמורים.',
  comingWithoutYes: 'מספר המגיעים (coming) נשלח רק יחד עם אישור הגעה (rsvp_status: confirmed).',
  wrongFileType:
    'יש לשלוח קובץ CSV או XLSX: כגוף הבקשה (text/csv או application/vnd.openxmlformats-officedocument.spreadsheetml.sheet) או כטופס (multipart/form-data).',
  fileTooLarge: 'הקובץ גדול מדי; הגודל המרבי הוא 20 מגה־בייט (20 MiB).',
  noFile: 'לא נשלח קובץ.',
  unreadable: {
    broken: 'אי אפשר לקרוא את הקובץ; יש לשלוח CSV או XLSX תקין.',
    old_excel: 'זהו קובץ Excel בתבנית ישנה או מוצפן; יש לשמור אותו כ־XLSX בלי סיסמה ולשלוח שוב.',
    encrypted: 'הקובץ מוגן בסיסמה; יש לשמור אותו בלי סיסמה ולשלוח שוב.',
    too_many_rows: 'יש בקובץ יותר מ־50,000 שורות; אפשר לחלק אותו לכמה קבצים.',
    too_large: 'הקובץ נפרש לגודל רב מדי.',
    empty: 'הקובץ ריק.',
  },
  noNameColumn:
    'אין בקובץ עמודה של שמות. בשורה הראשונה נדרשות כותרות, למשל: שם, טלפון, דוא״ל, תגיות, מספר מוזמנים.',
  rowsRefused: (count: number) =>
    count === 1
      ? 'שורה אחת נדחתה, ולכן דבר לא נשמר. אפשר לתקן אותה ולשלוח שוב.'
      : `${count.toLocaleString('he')} שורות נדחו, ולכן דבר לא נשמר. אפשר לתקן אותן ולשלוח שוב.`,
  sameAsRow: (row: number) => `אותו טלפון או אותו דוא״ל כמו בשורה ${row}.`,
  twoGuests: 'הטלפון שייך לאורח אחד והדוא״ל לאורח אחר.',
} as const;

/** The fields' names for people, as error sentences use them. */
export const fieldLabels: Readonly<Record<string, string>> = {
  name: 'שם',
  phone: 'טלפון',
  email: 'דוא״ל',
  tags: 'תגיות',
  language: 'שפה',
  party_size: 'מספר המוזמנים',
  coming: 'מספר המגיעים',
  vegetarian: 'צמחוני',
  vegan: 'טבעוני',
  allergies: 'אלרגיות',
  note: 'הערה',
  message: 'ברכה למארחים',
  rsvp_status: 'תשובה',
};
