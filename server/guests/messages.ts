/** What the guest API says, in Hebrew. */
export const messages = {
  noSuchGuest: 'האורח לא נמצא.',
  duplicatePhone: 'כבר יש באירוע אורח עם מספר הטלפון הזה.',
  duplicateEmail: 'כבר יש באירוע אורח עם כתובת הדוא״ל הזאת.',
  full: 'אין מספיק מקום להגדלה המבוקשת; המקומות שכבר נשמרו נשארים שמורים.',
  comingWithoutYes: 'מספר המגיעים (coming) נשלח רק יחד עם אישור הגעה (rsvp_status: confirmed).',
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
