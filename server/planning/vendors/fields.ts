import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { invalidField, readText } from '../../kernel/fields.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import type { Words } from '../../kernel/languages.ts';
import { oneOf } from '../../kernel/query-types.ts';
import { KASHRUT_LEVELS } from '../events/fields.ts';
import { messages } from './messages.ts';

export const VENDOR_KINDS = [
  'hall',
  'catering',
  'cakes',
  'bar',
  'photographer',
  'videographer',
  'dj',
  'band',
  'rabbi',
  'flowers',
  'design',
  'makeup',
  'dress',
  'invitations',
  'transport',
  'security',
  'planner',
  'other',
] as const;
export const BOOKING_STATUSES = ['pending', 'confirmed', 'cancelled'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

export const MOST_PAYMENTS = 50;
const MOST_PLATES = 100_000;
const DEAREST_PLATE = 100_000;
const LONGEST_NOTE = 5_000;

type Fields = Readonly<Record<string, fieldTypes.FieldTable[string] & { label?: Words }>>;

const noteField = {
  type: fieldTypes.orNull(fieldTypes.text(LONGEST_NOTE)),
  empty: null,
  label: { he: 'הערה', ar: 'ملاحظة', en: 'Note' },
} as const;

export const vendorFields = {
  name: {
    type: fieldTypes.nonEmpty(fieldTypes.line(300)),
    example: 'קייטרינג הגפן',
    label: { he: 'שם הספק', ar: 'اسم المورّد', en: 'Name' },
  },
  kind: {
    type: fieldTypes.nonEmpty(fieldTypes.oneOf(VENDOR_KINDS)),
    example: 'catering',
    label: { he: 'סוג הספק', ar: 'نوع المورّد', en: 'Kind' },
  },
  contact_name: {
    type: fieldTypes.orNull(fieldTypes.line(300)),
    empty: null,
    example: 'רות לוי',
    label: { he: 'איש הקשר', ar: 'جهة الاتصال', en: 'Contact' },
  },
  phone: {
    type: fieldTypes.orNull(fieldTypes.line(40)),
    empty: null,
    example: '03-1234567',
    label: { he: 'טלפון', ar: 'الهاتف', en: 'Phone' },
  },
  email: {
    type: fieldTypes.orNull(fieldTypes.mailAddress()),
    empty: null,
    example: 'ruth@example.com',
    label: { he: 'כתובת המייל', ar: 'البريد الإلكتروني', en: 'Email' },
  },
  kashrut_level: {
    type: fieldTypes.withDescription(
      fieldTypes.orDefault(fieldTypes.oneOf(KASHRUT_LEVELS), 'none'),
      'Level of the certificate; `none` without one.',
    ),
    empty: 'none',
    example: 'mehadrin',
    label: { he: 'רמת הכשרות', ar: 'مستوى الكوشير', en: 'Kashrut' },
  },
  kashrut_issuer: {
    type: fieldTypes.orNull(fieldTypes.line(300)),
    empty: null,
    example: 'הרבנות הוד השרון',
    label: { he: 'הגוף נותן הכשרות', ar: 'الجهة المانحة لشهادة الكوشير', en: 'Kashrut issuer' },
  },
  kashrut_expiry_date: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.date()),
      'The last day the certificate is valid.',
    ),
    empty: null,
    example: '2027-09-10',
    label: { he: 'תוקף תעודת הכשרות', ar: 'صلاحية شهادة الكوشير', en: 'Certificate valid until' },
  },
  note: noteField,
} as const satisfies Fields;
export type VendorInput = fieldTypes.ValuesOf<typeof vendorFields>;

export const vendorFilter = { kind: oneOf(VENDOR_KINDS) };
export const bookingFilter = { status: oneOf(BOOKING_STATUSES) };

const NEW_SHEKELS = 'New shekels, at most two decimals.';

export const paymentFields = {
  amount: {
    type: fieldTypes.withDescription(fieldTypes.amount(), NEW_SHEKELS),
    example: 5000,
    label: { he: 'סכום', ar: 'المبلغ', en: 'Amount' },
  },
  due_date: {
    type: fieldTypes.orNull(fieldTypes.date()),
    empty: null,
    example: '2026-12-01',
    label: { he: 'לתשלום עד', ar: 'تاريخ الاستحقاق', en: 'Due' },
  },
  paid_date: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.date()),
      'null: not paid yet. Today or earlier, in Israel.',
    ),
    empty: null,
    example: '2026-11-21',
    label: { he: 'שולם בתאריך', ar: 'تاريخ الدفع', en: 'Paid on' },
  },
  note: noteField,
} as const satisfies Fields;
export type PaymentInput = fieldTypes.ValuesOf<typeof paymentFields>;

const paymentId = {
  type: fieldTypes.withDescription(
    fieldTypes.orNull(fieldTypes.uuid(messages.unknownPayment)),
    'Id of an existing payment of the booking; without an id the payment is new.',
  ),
  empty: null,
} as const;
export const listedPaymentFields = { id: paymentId, ...paymentFields } as const;

/**
 * Type of a field with the id of a vendor. The field checks only the id's form; the store checks that the vendor may be
 * booked.
 */
const vendorId: fieldTypes.FieldType<string> = {
  read(field, value) {
    const id = readText(field, value, 100);
    if (!isUuid(id)) throw invalidField(field, messages.unknownVendor);
    return id.toLowerCase();
  },
  schema: {
    type: 'string',
    format: 'uuid',
    description: 'A vendor of the event’s organizer, or of the caller.',
  },
};

export const bookingFields = {
  vendor_id: {
    type: fieldTypes.nonEmpty(vendorId),
    example: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47',
    label: { he: 'ספק', ar: 'المورّد', en: 'Vendor' },
  },
  status: {
    type: fieldTypes.orDefault(fieldTypes.oneOf(BOOKING_STATUSES), 'pending'),
    empty: 'pending',
    example: 'confirmed',
  },
  price: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.amount()),
      `${NEW_SHEKELS} Without the plates.`,
    ),
    empty: null,
    example: 66_999.5,
    label: { he: 'מחיר', ar: 'السعر', en: 'Price' },
  },
  price_per_plate: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.amount(DEAREST_PLATE)),
      `${NEW_SHEKELS} Added to \`price\` for each plate.`,
    ),
    empty: null,
    label: { he: 'מחיר למנה', ar: 'سعر الوجبة', en: 'Price per plate' },
  },
  price_per_child: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.amount(DEAREST_PLATE)),
      `${NEW_SHEKELS} Instead of \`price_per_plate\`, for each child who comes. null: as adults.`,
    ),
    empty: null,
    label: { he: 'מחיר למנת ילד', ar: 'سعر وجبة الطفل', en: 'Price per child’s plate' },
  },
  plates: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.wholeNumber(1, MOST_PLATES)),
      'Ordered plates. null: the number of people who come, by their answers.',
    ),
    empty: null,
    label: { he: 'מספר המנות', ar: 'عدد الوجبات', en: 'Plates' },
  },
  minimum_plates: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.wholeNumber(1, MOST_PLATES)),
      'Minimum number of plates to be paid for, even if fewer people come.',
    ),
    empty: null,
    label: { he: 'התחייבות מינימום', ar: 'الحد الأدنى من الوجبات', en: 'Minimum of plates' },
  },
  deposit: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.amount()),
      'Part of the total price of the booking.',
    ),
    empty: null,
    example: 5000,
    label: { he: 'מקדמה', ar: 'الدفعة المقدّمة', en: 'Deposit' },
  },
  starts_at: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        fieldTypes.dateTime(DEFAULT_ZONE),
        'When the vendor’s work begins. Without an offset, wall time in Israel.',
      ),
    ),
    empty: null,
    example: '2027-06-15T14:00:00.000Z',
    label: { he: 'שעת ההתחלה', ar: 'وقت البداية', en: 'Start' },
  },
  ends_at: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        fieldTypes.dateTime(DEFAULT_ZONE),
        'When the vendor’s work ends; for a DJ or a band it is checked against the curfew.',
      ),
    ),
    empty: null,
    example: '2027-06-15T20:00:00.000Z',
    label: { he: 'שעת הסיום', ar: 'وقت النهاية', en: 'End' },
  },
  note: noteField,
  payments: {
    type: fieldTypes.orDefault(fieldTypes.listOf(listedPaymentFields, MOST_PAYMENTS, 'ListedPayment'), []),
    empty: [],
    example: [
      {
        id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a49',
        amount: 5000,
        due_date: '2026-12-01',
        paid_date: '2026-11-21',
        note: null,
      },
      {
        id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a4a',
        amount: 61_999.5,
        due_date: '2027-06-10',
        paid_date: null,
        note: null,
      },
    ],
    label: { he: 'תשלומים', ar: 'الدفعات', en: 'Payments' },
  },
} as const satisfies Fields;
/** Values of a booking as sent in a request. `vendor_id` is null only in bookings older than the table of vendors. */
export type BookingInput = Omit<fieldTypes.ValuesOf<typeof bookingFields>, 'vendor_id'> & {
  vendor_id: string | null;
};
export type ListedPayment = BookingInput['payments'][number];
