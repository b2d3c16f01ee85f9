import type { Words } from '../../kernel/languages.ts';
import type { KashrutLevel } from './kashrut.ts';

const levels: Readonly<Record<KashrutLevel, string>> = {
  none: 'ללא',
  regular: 'רגילה',
  mehadrin: 'מהדרין',
  chalav_yisrael: 'חלב ישראל',
};

/** What the routes of vendors and bookings say; the warnings in Hebrew. */
export const messages = {
  vendorNotYours: {
    he: 'הספק הזה שייך למארגן אחר.',
    ar: 'هذا المورّد يخصّ منظّمًا آخر.',
    en: 'This vendor belongs to another organizer.',
  },
  noSuchVendor: { he: 'הספק לא נמצא.', ar: 'لم نجد هذا المورّد.', en: 'There is no such vendor.' },
  noSuchBooking: {
    he: 'ההזמנה לא נמצאה באירוע הזה.',
    ar: 'لم نجد هذا الحجز في المناسبة.',
    en: 'The event has no such booking.',
  },
  unknownVendor: {
    he: 'אין ברשימה שלך ספק כזה.',
    ar: 'لا يوجد مورّد كهذا في قائمتك.',
    en: 'is not a vendor of yours.',
  },
  depositAbovePrice: {
    he: 'המקדמה גדולה מהמחיר.',
    ar: 'الدفعة المقدّمة أكبر من السعر.',
    en: 'is more than the price.',
  },
  endsBeforeItStarts: {
    he: 'הסיום צריך לבוא אחרי ההתחלה.',
    ar: 'يجب أن تكون النهاية بعد البداية.',
    en: 'must come after the start.',
  },
  tooManyVendors: (most: number): Words => ({
    he: `אפשר לשמור עד ${most.toLocaleString('he')} ספקים.`,
    ar: `يمكن حفظ ${most.toLocaleString('ar-u-nu-latn')} مورّد على الأكثر.`,
    en: `At most ${most.toLocaleString('en')} vendors can be kept.`,
  }),
  tooManyBookings: (most: number): Words => ({
    he: `אפשר לשמור עד ${most.toLocaleString('he')} הזמנות לאירוע.`,
    ar: `يمكن حفظ ${most.toLocaleString('ar-u-nu-latn')} حجز للمناسبة على الأكثر.`,
    en: `An event can have at most ${most.toLocaleString('en')} bookings.`,
  }),

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
export const vendorLabels: Readonly<Record<string, Words>> = {
  name: { he: 'שם הספק', ar: 'اسم المورّد', en: 'Name' },
  kind: { he: 'סוג הספק', ar: 'نوع المورّد', en: 'Kind' },
  contact_name: { he: 'איש הקשר', ar: 'جهة الاتصال', en: 'Contact' },
  phone: { he: 'טלפון', ar: 'الهاتف', en: 'Phone' },
  email: { he: 'כתובת הדוא״ל', ar: 'البريد الإلكتروني', en: 'Email' },
  kashrut_level: { he: 'רמת הכשרות', ar: 'مستوى الكوشير', en: 'Kashrut' },
  kashrut_issuer: { he: 'הגוף נותן הכשרות', ar: 'الجهة المانحة لشهادة الكوشير', en: 'Kashrut issuer' },
  kashrut_expiry_date: { he: 'תוקף תעודת הכשרות', ar: 'صلاحية شهادة الكوشير', en: 'Certificate valid until' },
  note: { he: 'הערה', ar: 'ملاحظة', en: 'Note' },
};

/** The fields' names in an event's bookings. */
export const bookingLabels: Readonly<Record<string, Words>> = {
  vendor_id: { he: 'ספק', ar: 'المورّد', en: 'Vendor' },
  price: { he: 'מחיר', ar: 'السعر', en: 'Price' },
  deposit: { he: 'מקדמה', ar: 'الدفعة المقدّمة', en: 'Deposit' },
  starts_at: { he: 'שעת ההתחלה', ar: 'وقت البداية', en: 'Start' },
  ends_at: { he: 'שעת הסיום', ar: 'وقت النهاية', en: 'End' },
  payments: { he: 'תשלומים', ar: 'الدفعات', en: 'Payments' },
  note: { he: 'הערה', ar: 'ملاحظة', en: 'Note' },
};
