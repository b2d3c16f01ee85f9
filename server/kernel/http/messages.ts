import type { Complaint } from '../fields.ts';

/** What can go wrong with any request, whatever the area. The names are the `code` of error bodies. */
export type HttpProblem =
  | 'bad_request'
  | 'malformed_json'
  | 'unauthorized'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'too_large'
  | 'wrong_content_type'
  | 'headers_too_large'
  | 'too_many_requests'
  | 'precondition_failed'
  | 'key_running'
  | 'key_reused'
  | 'unexpected'
  | 'unavailable';

export interface Catalogue {
  /** `too_large` is the sentence of most routes; `tooLarge` knows the limit of each. */
  problems: Readonly<Record<HttpProblem, string>>;
  tooLarge(bytes: number): string;
  /** What is wrong with a field and what it takes, to stand behind the field's name. */
  complaint(complaint: Complaint): string;
}

/** What a request may have where its route says nothing else. */
export const BODY_LIMIT = 2 ** 20;

const mebibytes = (bytes: number) => (bytes < 2 ** 20 ? undefined : bytes / 2 ** 20);

function tooLargeInEnglish(bytes: number): string {
  const most = mebibytes(bytes);
  const size = most ? `${most.toLocaleString('en')} MiB` : `${(bytes / 1024).toLocaleString('en')} KiB`;
  return `The body is too large; at most ${size} is accepted.`;
}

function tooLargeInHebrew(bytes: number): string {
  const most = mebibytes(bytes);
  const size = most
    ? `${most === 1 ? 'מגה־בייט אחד' : `${most.toLocaleString('he')} מגה־בייט`} (${most.toLocaleString('en')} MiB)`
    : `${(bytes / 1024).toLocaleString('he')} קילו־בייט (${(bytes / 1024).toLocaleString('en')} KiB)`;
  return `הבקשה גדולה מדי; הגודל המרבי הוא ${size}.`;
}

export const english: Catalogue = {
  tooLarge: tooLargeInEnglish,
  problems: {
    bad_request: 'The request could not be understood.',
    malformed_json: 'The body is not valid JSON.',
    unauthorized: 'A valid access token is needed: Authorization: Bearer <token>.',
    not_found: 'There is nothing at this address.',
    method_not_allowed: 'This address does not take this method.',
    request_timeout: 'The request took too long to arrive.',
    too_large: tooLargeInEnglish(BODY_LIMIT),
    wrong_content_type: 'The body must be sent as application/json.',
    headers_too_large: 'The request headers are too large.',
    too_many_requests: 'Too many requests; try again shortly.',
    precondition_failed: 'It was changed in the meantime; read it again, then repeat the change.',
    key_running: 'A request with this Idempotency-Key is still running; try again shortly.',
    key_reused: 'This Idempotency-Key was used for another request; use a new one.',
    unexpected: 'Something went wrong on our side.',
    unavailable: 'The service is not available right now; try again shortly.',
  },
  complaint(complaint) {
    switch (complaint.kind) {
      case 'missing':
        return 'is required.';
      case 'object':
        return 'must be a JSON object.';
      case 'text':
        return 'must be text.';
      case 'characters':
        return 'has characters that can’t be kept (NUL, or half of a surrogate pair).';
      case 'too_long':
        return `is too long; at most ${complaint.most.toLocaleString('en')} characters.`;
      case 'integer':
        return `must be a whole number from ${complaint.least} to ${complaint.most.toLocaleString('en')}.`;
      case 'amount':
        return `must be a number from 0 to ${complaint.most.toLocaleString('en')} with at most two decimals.`;
      case 'time_of_day':
        return 'must be a time of day, HH:MM (00:00 to 23:59).';
      case 'date_time':
        return 'must be a date and time that exist, such as 2027-06-15T19:30 or 2027-06-15T19:30:00+03:00.';
      case 'past':
        return 'must not be in the past.';
      case 'choice':
        return `must be one of: ${complaint.choices.join(', ')}.`;
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
        return 'must be * or the ETag as it was given, in its quotes.';
      case 'key':
        return `must be 1 to ${complaint.most} printable ASCII characters without spaces.`;
    }
  },
};

export const hebrew: Catalogue = {
  tooLarge: tooLargeInHebrew,
  problems: {
    bad_request: 'לא הצלחנו להבין את הבקשה.',
    malformed_json: 'גוף הבקשה אינו JSON תקין.',
    unauthorized: 'נדרשת התחברות: יש לשלוח אסימון גישה תקף בכותרת Authorization: Bearer.',
    not_found: 'אין כלום בכתובת הזאת.',
    method_not_allowed: 'הכתובת הזאת אינה מקבלת את הפעולה המבוקשת.',
    request_timeout: 'הבקשה לא הגיעה בשלמותה בזמן.',
    too_large: tooLargeInHebrew(BODY_LIMIT),
    wrong_content_type: 'יש לשלוח את הבקשה כ־application/json.',
    headers_too_large: 'כותרות הבקשה גדולות מדי.',
    too_many_requests: 'נשלחו יותר מדי בקשות; אפשר לנסות שוב בעוד רגע.',
    precondition_failed: 'בינתיים נעשה כאן שינוי אחר; כדאי לקרוא שוב ואז לחזור על הפעולה.',
    key_running: 'בקשה עם אותו Idempotency-Key עדיין בטיפול; אפשר לנסות שוב בעוד רגע.',
    key_reused: 'ה־Idempotency-Key הזה כבר שימש לבקשה אחרת; יש לשלוח מפתח חדש.',
    unexpected: 'משהו השתבש אצלנו. אפשר לנסות שוב.',
    unavailable: 'השירות אינו זמין כרגע; אפשר לנסות שוב בעוד רגע.',
  },
  complaint(complaint) {
    switch (complaint.kind) {
      case 'missing':
        return 'שדה חובה.';
      case 'object':
        return 'נדרש אובייקט JSON.';
      case 'text':
        return 'נדרש טקסט.';
      case 'characters':
        return 'יש כאן תווים שאי אפשר לשמור (NUL או חצי תו).';
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
        return 'נדרשת כתובת דוא״ל, למשל noa@example.com.';
      case 'entity_tag':
        return 'נדרש * או ערך ה־ETag כפי שנמסר, במירכאותיו.';
      case 'key':
        return `נדרשים 1 עד ${complaint.most} תווי ASCII נראים, בלי רווחים.`;
    }
  },
};
