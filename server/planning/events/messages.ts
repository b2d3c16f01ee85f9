/** What the event API says, in Hebrew. What any API says is in kernel/http/messages.ts. */
export const messages = {
  onlyOrganizers: 'רק מארגנים יכולים ליצור אירועים.',
  notYours: 'האירוע הזה שייך למארגן אחר.',
  viewOnly: 'האירוע הזה משותף איתך לצפייה בלבד.',
  ownerOnly: 'רק מי שיצר את האירוע יכול לעשות את זה.',
  noSuchEvent: 'האירוע לא נמצא.',
  cancelledIsFinal: 'האירוע בוטל ואי אפשר לערוך אותו.',
  unknownStatus: 'סטטוס לא מוכר (status): הערכים האפשריים הם draft, published, cancelled, completed.',
  moves: {
    draft: 'אירוע בטיוטה (draft) אפשר לפרסם (published) או לבטל (cancelled).',
    published: 'אירוע שפורסם (published) אפשר לסיים (completed) או לבטל (cancelled).',
    completed: 'האירוע הסתיים (completed), והסטטוס שלו כבר אינו משתנה.',
    cancelled: 'האירוע בוטל ואי אפשר לערוך אותו.',
  },
} as const;

/** The fields' names for people, as error sentences use them. */
export const fieldLabels: Readonly<Record<string, string>> = {
  body: 'גוף הבקשה',
  title: 'שם האירוע',
  event_date: 'מועד האירוע',
  venue_name: 'שם המקום',
  venue_address: 'כתובת המקום',
  description: 'תיאור',
  max_guests: 'מספר המוזמנים המרבי',
  venue_capacity: 'תפוסת המקום',
  max_plus_ones_buffer: 'מספר המלווים הנוספים',
  kashrut_level: 'רמת הכשרות',
  noise_curfew_time: 'שעת סיום הרעש',
  language_pref: 'שפת האירוע',
  budget: 'תקציב',
  retention_policy_days: 'ימי שמירת המידע',
};
