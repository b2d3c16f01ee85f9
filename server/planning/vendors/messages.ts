import type { KashrutLevel } from './kashrut.ts';

const levels: Readonly<Record<KashrutLevel, string>> = {
  none: 'ללא',
  regular: 'רגילה',
  mehadrin: 'מהדרין',
  chalav_yisrael: 'חלב ישראל',
};

/** What the routes of vendors and bookings say, in Hebrew. */
export const messages = {
  vendorNotYours: 'הספק הזה שייך למארגן אחר.',
  noSuchVendor: 'הספק לא נמצא.',
  noSuchBooking: 'ההזמנה לא נמצאה באירוע הזה.',
  unknownVendor: 'ספק (vendor_id): אין ברשימה שלך ספק כזה.',
  depositAbovePrice: 'מקדמה (deposit): המקדמה גדולה מהמחיר.',
  endsBeforeItStarts: 'שעת הסיום (ends_at): הסיום צריך לבוא אחרי ההתחלה.',
  tooManyVendors: (most: number) => `אפשר לשמור עד ${most.toLocaleString('he')} ספקים.`,
  tooManyBookings: (most: number) => `אפשר לשמור עד ${most.toLocaleString('he')} הזמנות לאירוע.`,

  warnings: {
    kashrut_missing: (vendor: string, wanted: KashrutLevel) =>
      `לספק ${vendor} לא נרשמה תעודת כשרות, והאירוע דורש כשרות ${levels[wanted]}.`,
    kashrut_too_low: (vendor: string, wanted: KashrutLevel, has: KashrutLevel) =>
      `תעודת הכשרות של ${vendor} היא ברמה ${levels[has]}, והאירוע דורש ${levels[wanted]}.`,
    kashrut_expires: (vendor: string, on: string) => `תעודת הכשרות של ${vendor} תפוג ב־${on}, לפני האירוע.`,
    past_curfew: (vendor: string, curfew: string) =>
      `ההזמנה של ${vendor} נמשכת אחרי שעת סיום הרעש (${curfew}).`,
    payment_overdue: (vendor: string, on: string) => `תשלום ל${vendor} היה אמור להתבצע עד ${on}.`,
    over_budget: 'מה שכבר הוזמן עולה יותר מתקציב האירוע.',
  },
} as const;

/** The fields' names under /api/vendors. */
export const vendorLabels: Readonly<Record<string, string>> = {
  name: 'שם הספק',
  kind: 'סוג הספק',
  contact_name: 'איש הקשר',
  phone: 'טלפון',
  email: 'כתובת הדוא״ל',
  kashrut_level: 'רמת הכשרות',
  kashrut_issuer: 'הגוף נותן הכשרות',
  kashrut_expiry_date: 'תוקף תעודת הכשרות',
  note: 'הערה',
};

/** The fields' names in an event's bookings. */
export const bookingLabels: Readonly<Record<string, string>> = {
  vendor_id: 'ספק',
  price: 'מחיר',
  deposit: 'מקדמה',
  starts_at: 'שעת ההתחלה',
  ends_at: 'שעת הסיום',
  payments: 'תשלומים',
  note: 'הערה',
};
