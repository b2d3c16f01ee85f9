import { addHebrewPrefix } from '../../kernel/hebrew.ts';
import { localeOf, type Words } from '../../kernel/languages.ts';
import type { KashrutLevel } from './kashrut.ts';

const levels: Readonly<Record<KashrutLevel, Words>> = {
  none: { he: 'ללא', ar: 'بدون', en: 'none' },
  regular: { he: 'רגילה', ar: 'عادي', en: 'regular' },
  mehadrin: { he: 'מהדרין', ar: 'مهدرين', en: 'mehadrin' },
  chalav_yisrael: { he: 'חלב ישראל', ar: 'حلاف يسرائيل', en: 'chalav yisrael' },
};

/** Date with the name of its month, in each language. */
const days = (on: string): Words => {
  const day = Temporal.PlainDate.from(on);
  return {
    he: day.toLocaleString(localeOf('hebrew'), { dateStyle: 'long' }),
    ar: day.toLocaleString(localeOf('arabic'), { dateStyle: 'long' }),
    en: day.toLocaleString(localeOf('english'), { dateStyle: 'long' }),
  };
};

/** Texts of the APIs of vendors and bookings. */
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
  notDeleted: {
    he: 'אין כאן הזמנה כזאת שנמחקה ב־30 הימים האחרונים.',
    ar: 'لا يوجد حجز كهذا حُذف خلال آخر 30 يومًا.',
    en: 'No such booking was deleted within the last 30 days.',
  },
  unknownPayment: {
    he: 'אין בהזמנה תשלום כזה.',
    ar: 'لا توجد في الحجز دفعة كهذه.',
    en: 'is not a payment of this booking.',
  },
  paidInTheFuture: {
    he: 'תאריך שבו שולם לא יכול להיות אחרי היום.',
    ar: 'لا يمكن أن يكون تاريخ الدفع بعد اليوم.',
    en: 'must not be after today.',
  },
  paymentsAbovePrice: {
    he: 'התשלומים יחד הם יותר ממה שההזמנה עולה.',
    ar: 'مجموع الدفعات أكثر مما يكلّفه الحجز.',
    en: 'together are more than the price of the booking.',
  },
  platesWithoutPrice: {
    he: 'נשמר רק יחד עם מחיר למנה.',
    ar: 'يُحفظ فقط مع سعر الوجبة.',
    en: 'can be set only together with a price per plate.',
  },
  tooManyPayments: (most: number): Words => ({
    he: `אפשר לשמור עד ${most} תשלומים להזמנה.`,
    ar: `يمكن حفظ ${most} دفعة للحجز على الأكثر.`,
    en: `A booking can have at most ${most} payments.`,
  }),
  noSuchPayment: {
    he: 'התשלום לא נמצא בהזמנה הזאת.',
    ar: 'لم نجد هذه الدفعة في الحجز.',
    en: 'The booking has no such payment.',
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
    en: `You can have at most ${most.toLocaleString('en')} vendors.`,
  }),
  tooManyBookings: (most: number): Words => ({
    he: `אפשר לשמור עד ${most.toLocaleString('he')} הזמנות לאירוע.`,
    ar: `يمكن حفظ ${most.toLocaleString('ar-u-nu-latn')} حجز للمناسبة على الأكثر.`,
    en: `An event can have at most ${most.toLocaleString('en')} bookings.`,
  }),

  warnings: {
    kashrut_missing: (vendor: string, wanted: KashrutLevel): Words => ({
      he: `לספק ${vendor} לא נרשמה תעודת כשרות, והאירוע דורש כשרות ${levels[wanted].he}.`,
      ar: `لم تُسجَّل للمورّد ${vendor} شهادة كشروت، والمناسبة تتطلب مستوى ${levels[wanted].ar}.`,
      en: `No kashrut certificate is recorded for ${vendor}, but the event requires ${levels[wanted].en}.`,
    }),
    kashrut_too_low: (vendor: string, wanted: KashrutLevel, has: KashrutLevel): Words => ({
      he: `תעודת הכשרות של ${vendor} היא ברמה ${levels[has].he}, והאירוע דורש ${levels[wanted].he}.`,
      ar: `شهادة الكشروت لدى ${vendor} بمستوى ${levels[has].ar}، والمناسبة تتطلب ${levels[wanted].ar}.`,
      en: `The kashrut certificate of ${vendor} is ${levels[has].en}, but the event requires ${levels[wanted].en}.`,
    }),
    kashrut_expires: (vendor: string, on: string): Words => {
      const day = days(on);
      return {
        he: `תעודת הכשרות של ${vendor} תפוג ב־${day.he}, לפני האירוע.`,
        ar: `تنتهي شهادة الكشروت لدى ${vendor} في ${day.ar}، قبل المناسبة.`,
        en: `The kashrut certificate of ${vendor} expires on ${day.en}, before the event.`,
      };
    },
    past_curfew: (vendor: string, curfew: string): Words => ({
      he: `ההזמנה של ${vendor} נמשכת אחרי שעת סיום הרעש (${curfew}).`,
      ar: `حجز ${vendor} يستمر بعد ساعة انتهاء الضوضاء (${curfew}).`,
      en: `The booking of ${vendor} ends after the noise curfew (${curfew}).`,
    }),
    payment_overdue: (vendor: string, on: string): Words => {
      const day = days(on);
      return {
        he: `תשלום ${addHebrewPrefix('ל', vendor)} היה אמור להתבצע עד ${day.he}.`,
        ar: `كان يجب دفع مستحقات ${vendor} حتى ${day.ar}.`,
        en: `A payment to ${vendor} was due by ${day.en}.`,
      };
    },
    payment_on_closed_day: (vendor: string, on: string, why: Words, lastWorkingDay: string): Words => {
      const [day, last] = [days(on), days(lastWorkingDay)];
      return {
        he: `תשלום ${addHebrewPrefix('ל', vendor)} חל ב־${day.he} (${why.he}), כשהבנקים סגורים; יום העבודה האחרון לפניו הוא ${last.he}.`,
        ar: `موعد الدفع للمورّد ${vendor} هو ${day.ar} (${why.ar})، والبنوك مغلقة؛ آخر يوم عمل قبله هو ${last.ar}.`,
        en: `A payment to ${vendor} is due on ${day.en} (${why.en}), when banks are closed; the last working day before it is ${last.en}.`,
      };
    },
    booked_twice: (vendor: string, also: 'here' | { title: string | null }): Words => {
      if (also === 'here') {
        return {
          he: `${addHebrewPrefix('ל', vendor)} רשומות באירוע הזה שתי הזמנות לאותן שעות.`,
          ar: `لدى ${vendor} حجزان في هذه المناسبة للساعات نفسها.`,
          en: `${vendor} is booked twice for this event at the same hours.`,
        };
      }
      const { title } = also;
      return {
        he: `${addHebrewPrefix('ל', vendor)} רשומה באותן שעות הזמנה גם לאירוע ${title ?? 'אחר'}.`,
        ar: `لدى ${vendor} حجز في الساعات نفسها لمناسبة ${title ?? 'أخرى'} أيضًا.`,
        en: `${vendor} is booked at the same hours for ${title ?? 'another event'} as well.`,
      };
    },
    paid_above_price: (vendor: string): Words => ({
      he: `${addHebrewPrefix('ל', vendor)} שולם יותר ממה שההזמנה עולה.`,
      ar: `دُفع للمورّد ${vendor} أكثر مما يكلّفه الحجز.`,
      en: `${vendor} was paid more than the price of the booking.`,
    }),
    over_budget: {
      he: 'ההזמנות שאושרו עולות יותר מתקציב האירוע.',
      ar: 'الحجوزات المؤكدة تكلّف أكثر من ميزانية المناسبة.',
      en: 'The confirmed bookings cost more than the event’s budget.',
    },
  },
} as const;
