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
