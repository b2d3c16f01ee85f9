import type { Complaint } from '../fields.ts';
import type { Language, Words } from '../languages.ts';

/** Maximum size of a request's body in bytes, unless its route sets another. */
export const BODY_LIMIT = 2 ** 20;

/** Error message for a body that is larger than its route allows. */
export function tooLarge(mostBytes: number): Words {
  const isSmall = mostBytes < 2 ** 20;
  const most = mostBytes / (isSmall ? 1024 : 2 ** 20);
  // The first number that ICU formats takes 20 ms, and this function runs at each start. Hebrew has the same separator.
  const number = most < 1_000 ? String(most) : most.toLocaleString('en');
  const size = `${number} ${isSmall ? 'KiB' : 'MiB'}`;
  const inHebrew = most === 1 ? 'מגה־בייט אחד' : `${number} ${isSmall ? 'קילו־בייט' : 'מגה־בייט'}`;
  return {
    he: `הבקשה גדולה מדי; הגודל המרבי הוא ${inHebrew} (${size}).`,
    ar: `الطلب كبير جدًا؛ الحد الأقصى (${size}).`,
    en: `The body is too large; at most ${size} is accepted.`,
  };
}

export function methodNotAllowed(methods: string): Words {
  return {
    he: `הכתובת הזאת אינה מקבלת את הפעולה המבוקשת; היא מקבלת: ${methods}.`,
    ar: `هذا العنوان لا يقبل هذه العملية؛ يقبل: ${methods}.`,
    en: `This address does not support this method; it supports ${methods}.`,
  };
}

/**
 * Texts of problems that any request may have, independent of the area of the API. Their names are the `code` of error
 * bodies.
 */
export type HttpProblem = keyof typeof httpProblems;

export const httpProblems = {
  bad_request: {
    he: 'לא הצלחנו להבין את הבקשה.',
    ar: 'لم نتمكّن من فهم الطلب.',
    en: 'The request could not be understood.',
  },
  address_not_encoded: {
    he: 'בכתובת יש לקודד אותיות שאינן ASCII באחוזים, למשל %D7%90 במקום א (ב־curl: ‏-G --data-urlencode).',
    ar: 'يجب ترميز الأحرف غير ASCII في العنوان بعلامة النسبة المئوية، مثل %D8%A3 بدل أ (في curl: ‎-G --data-urlencode).',
    en: 'Letters other than ASCII in an address have to be percent-encoded, such as %C3%A9 for e with an accent (with curl: -G --data-urlencode).',
  },
  malformed_json: {
    he: 'גוף הבקשה אינו JSON תקין.',
    ar: 'محتوى الطلب ليس JSON صالحًا.',
    en: 'The body is not valid JSON.',
  },
  unauthorized: {
    he: 'נדרשת התחברות: יש לשלוח אסימון גישה תקף בכותרת Authorization: Bearer.',
    ar: 'يلزم تسجيل الدخول: أرسل رمز وصول صالحًا في الترويسة Authorization: Bearer.',
    en: 'A valid access token is needed: Authorization: Bearer <token>.',
  },
  metrics_closed: {
    he: 'המדדים נמסרים רק למי שנמצא על השרת עצמו; כדי לקרוא אותם ממקום אחר יש להגדיר METRICS_TOKEN ולשלוח אותו בכותרת Authorization: Bearer.',
    ar: 'تُعطى المقاييس لمن هو على الخادم نفسه فقط؛ لقراءتها من مكان آخر يُضبط METRICS_TOKEN ويُرسل في الترويسة Authorization: Bearer.',
    en: 'The metrics are available only on this machine; to read them from elsewhere, set METRICS_TOKEN and send it as Authorization: Bearer.',
  },
  not_found: {
    he: 'אין כלום בכתובת הזאת.',
    ar: 'لا يوجد شيء في هذا العنوان.',
    en: 'There is nothing at this address.',
  },
  request_timeout: {
    he: 'הבקשה לא הגיעה בשלמותה בזמן.',
    ar: 'لم يصل الطلب كاملًا في الوقت المحدد.',
    en: 'The request took too long to arrive.',
  },
  too_large: tooLarge(BODY_LIMIT),
  wrong_content_type: {
    he: 'יש לשלוח את הבקשה כ־application/json.',
    ar: 'يجب إرسال الطلب بصيغة application/json.',
    en: 'The body must be sent as application/json.',
  },
  headers_too_large: {
    he: 'כותרות הבקשה גדולות מדי.',
    ar: 'ترويسات الطلب كبيرة جدًا.',
    en: 'The request headers are too large.',
  },
  too_many_requests: {
    he: 'נשלחו יותר מדי בקשות; אפשר לנסות שוב בעוד רגע.',
    ar: 'أُرسلت طلبات كثيرة؛ يمكن المحاولة مرة أخرى بعد لحظات.',
    en: 'Too many requests; try again shortly.',
  },
  precondition_failed: {
    he: 'בינתיים נעשה כאן שינוי אחר; כדאי לקרוא שוב ואז לחזור על הפעולה.',
    ar: 'حدث تغيير آخر في هذه الأثناء؛ اقرأ من جديد ثم كرّر العملية.',
    en: 'It was changed in the meantime; read it again, then repeat the change.',
  },
  key_running: {
    he: 'בקשה עם אותו Idempotency-Key עדיין בטיפול; אפשר לנסות שוב בעוד רגע.',
    ar: 'ما زال طلب بالمفتاح Idempotency-Key نفسه قيد المعالجة؛ يمكن المحاولة مرة أخرى بعد لحظات.',
    en: 'A request with this Idempotency-Key is still running; try again shortly.',
  },
  key_reused: {
    he: 'ה־Idempotency-Key הזה כבר שימש לבקשה אחרת; יש לשלוח מפתח חדש.',
    ar: 'استُخدم هذا المفتاح Idempotency-Key لطلب آخر؛ أرسل مفتاحًا جديدًا.',
    en: 'This Idempotency-Key was used for another request; use a new one.',
  },
  unexpected: {
    he: 'משהו השתבש אצלנו. אפשר לנסות שוב.',
    ar: 'حدث خطأ لدينا. يمكن المحاولة مرة أخرى.',
    en: 'Something went wrong on our side.',
  },
  unavailable: {
    he: 'השירות אינו זמין כרגע; אפשר לנסות שוב בעוד רגע.',
    ar: 'الخدمة غير متاحة حاليًا؛ يمكن المحاولة مرة أخرى بعد لحظات.',
    en: 'The service is not available right now; try again shortly.',
  },
} as const satisfies Record<string, Words>;

/** Texts that say what is wrong with a field and which values it accepts; they follow the field's name. */
export const complaintTexts: Readonly<Record<Language, (complaint: Complaint) => string>> = {
  en(complaint) {
    switch (complaint.kind) {
      case 'own':
        return complaint.words.en;
      case 'missing':
        return 'is required.';
      case 'object':
        return 'must be a JSON object.';
      case 'text':
        return 'must be text.';
      case 'characters':
        return 'has characters that can’t be stored (NUL, or half of a surrogate pair).';
      case 'unseen':
        return 'has no visible characters.';
      case 'too_long':
        return `is too long; at most ${complaint.most.toLocaleString('en')} characters.`;
      case 'integer':
        return `must be a whole number from ${complaint.least} to ${complaint.most.toLocaleString('en')}.`;
      case 'amount':
        return `must be a number from 0 to ${complaint.most.toLocaleString('en')} with at most two decimals.`;
      case 'time_of_day':
        return 'must be a time of day, HH:MM (00:00 to 23:59).';
      case 'date_time':
        return 'must be a date and time that exist, such as 2027-06-15T19:30 (Israel time) or 2027-06-15T19:30:00+03:00.';
      case 'past':
        return 'must not be in the past.';
      case 'choice':
        return `must be one of: ${complaint.choices.join(', ')}.`;
      case 'unknown':
        if (complaint.names.length === 0)
          return 'is not a known name here; this address takes no parameters.';
        return `is not a known name here. Known names: ${complaint.names.join(', ')}.`;
      case 'fixed':
        return `can’t be changed; it stays ${complaint.value}.`;
      case 'id':
        return 'must be a UUID.';
      case 'phone':
        return 'must be a phone number, such as 050-123-4567 or +44 20 7946 0958.';
      case 'texts':
        return `must be a list of at most ${complaint.most} texts of at most ${complaint.longest} characters.`;
      case 'list':
        return `must be a list of at most ${complaint.most} items.`;
      case 'yes_or_no':
        return 'must be true or false.';
      case 'date':
        return 'must be a date that exists, such as 2027-06-15.';
      case 'email':
        return 'must be an email address, such as noa@example.com.';
      case 'entity_tag':
        return 'must be * or the ETag as received, with its quotes.';
      case 'key':
        return `must be 1 to ${complaint.most} printable ASCII characters without spaces.`;
    }
  },
  he(complaint) {
    switch (complaint.kind) {
      case 'own':
        return complaint.words.he;
      case 'missing':
        return 'שדה חובה.';
      case 'object':
        return 'נדרש אובייקט JSON.';
      case 'text':
        return 'נדרש טקסט.';
      case 'characters':
        return 'יש כאן תווים שאי אפשר לשמור (NUL או חצי תו).';
      case 'unseen':
        return 'אין כאן תווים נראים.';
      case 'too_long':
        return `ארוך מדי; עד ${complaint.most.toLocaleString('he')} תווים.`;
      case 'integer':
        return `נדרש מספר שלם בין ${complaint.least} ל־${complaint.most.toLocaleString('he')}.`;
      case 'amount':
        return `נדרש מספר בין 0 ל־${complaint.most.toLocaleString('he')}, עד שתי ספרות אחרי הנקודה.`;
      case 'time_of_day':
        return 'נדרשת שעה בתבנית HH:MM, בין 00:00 ל־23:59.';
      case 'date_time':
        return 'נדרשים תאריך ושעה קיימים, למשל 2027-06-15T19:30 (שעון ישראל) או 2027-06-15T19:30:00+03:00.';
      case 'past':
        return 'המועד כבר עבר; נדרש מועד עתידי.';
      case 'choice':
        return `הערכים האפשריים: ${complaint.choices.join(', ')}.`;
      case 'unknown':
        if (complaint.names.length === 0) return 'אין כאן פרמטר כזה; הכתובת הזאת אינה מקבלת פרמטרים.';
        return `השם הזה אינו מוכר כאן. השמות המוכרים: ${complaint.names.join(', ')}.`;
      case 'fixed':
        return `אי אפשר לשנות; הערך נשאר ${complaint.value}.`;
      case 'id':
        return 'נדרש UUID.';
      case 'phone':
        return 'נדרש מספר טלפון, למשל 050-123-4567 או ‎+44 20 7946 0958.';
      case 'texts':
        return `נדרשת רשימה של עד ${complaint.most} טקסטים, כל אחד עד ${complaint.longest} תווים.`;
      case 'list':
        return `נדרשת רשימה של ${complaint.most} פריטים לכל היותר.`;
      case 'yes_or_no':
        return 'נדרש true או false.';
      case 'date':
        return 'נדרש תאריך קיים, למשל 2027-06-15.';
      case 'email':
        return 'נדרשת כתובת מייל, למשל noa@example.com.';
      case 'entity_tag':
        return 'נדרש * או ערך ה־ETag כפי שנמסר, במירכאותיו.';
      case 'key':
        return `נדרשים 1 עד ${complaint.most} תווי ASCII נראים, בלי רווחים.`;
    }
  },
  ar(complaint) {
    switch (complaint.kind) {
      case 'own':
        return complaint.words.ar;
      case 'missing':
        return 'حقل إلزامي.';
      case 'object':
        return 'يلزم كائن JSON.';
      case 'text':
        return 'يلزم نص.';
      case 'characters':
        return 'توجد هنا رموز لا يمكن حفظها (NUL أو نصف رمز).';
      case 'unseen':
        return 'لا يوجد هنا أي حرف مرئي.';
      case 'too_long':
        return `طويل جدًا؛ الحد الأقصى لعدد الأحرف: ${arabicNumber(complaint.most)}.`;
      case 'integer':
        return `يلزم عدد صحيح بين ${complaint.least} و${arabicNumber(complaint.most)}.`;
      case 'amount':
        return `يلزم عدد بين 0 و${arabicNumber(complaint.most)}، بمنزلتين عشريتين على الأكثر.`;
      case 'time_of_day':
        return 'يلزم وقت بالصيغة HH:MM، بين 00:00 و23:59.';
      case 'date_time':
        return `يلزم تاريخ ووقت صحيحان، مثل ${isolate('2027-06-15T19:30')} (بتوقيت إسرائيل) أو ${isolate('2027-06-15T19:30:00+03:00')}.`;
      case 'past':
        return 'مضى هذا الموعد؛ يلزم موعد في المستقبل.';
      case 'choice':
        return `القيم الممكنة: ${complaint.choices.join(', ')}.`;
      case 'unknown':
        if (complaint.names.length === 0) return 'لا يوجد هنا معامل كهذا؛ هذا العنوان لا يقبل معاملات.';
        return `هذا الاسم غير معروف هنا. الأسماء المعروفة: ${complaint.names.join(', ')}.`;
      case 'fixed':
        return `لا يمكن تغييره؛ تبقى القيمة ${complaint.value}.`;
      case 'id':
        return 'يلزم UUID.';
      case 'phone':
        return `يلزم رقم هاتف، مثل ${isolate('050-123-4567')} أو ${isolate('+44 20 7946 0958')}.`;
      case 'texts':
        return `تلزم قائمة من ${complaint.most} نصًا على الأكثر، كل منها ${complaint.longest} حرفًا على الأكثر.`;
      case 'list':
        return `تلزم قائمة لا يزيد عدد عناصرها على ${complaint.most}.`;
      case 'yes_or_no':
        return 'يلزم true أو false.';
      case 'date':
        return `يلزم تاريخ صحيح، مثل ${isolate('2027-06-15')}.`;
      case 'email':
        return 'يلزم عنوان بريد إلكتروني، مثل noa@example.com.';
      case 'entity_tag':
        return 'يلزم * أو قيمة ETag كما وردت، بين علامتي الاقتباس.';
      case 'key':
        return `يلزم من 1 إلى ${complaint.most} من رموز ASCII المرئية، دون مسافات.`;
    }
  },
};

/**
 * Wraps left-to-right text in direction marks: in an Arabic sentence its parts between hyphens and spaces would be
 * reordered.
 */
const isolate = (written: string) => `\u2066${written}\u2069`;

function arabicNumber(value: number): string {
  return value.toLocaleString('ar-u-nu-latn');
}
