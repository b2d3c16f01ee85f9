import { type Static, Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { bodyOf, inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { listAnswer, noParameters, pageAnswer, queryOf, recordAnswer } from '../../kernel/http/resource.ts';
import {
  dateSchema,
  dateTimeSchema,
  enumSchema,
  exampleTimes,
  orNullSchema,
  textOrNullSchema,
  timestampSchemas,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { pageQuery } from '../../kernel/paging.ts';
import { DEADLINE_WARNING_CODES } from '../answers/deadline.ts';
import {
  eventErrors,
  eventFrames,
  eventParam,
  eventRecordFrames,
  eventRecordParams,
  organizerFrames,
  versionedAnswer,
} from '../events/area.ts';
import { bookingFields, bookingFilter, paymentFields, vendorFields, vendorFilter } from './fields.ts';

/** Schemas of vendors, bookings, the budget and warnings. */

export const WARNING_CODES = [
  'kashrut_missing',
  'kashrut_too_low',
  'kashrut_expires',
  'past_curfew',
  'payment_overdue',
  'payment_on_closed_day',
  'booked_twice',
  'paid_above_price',
  'over_budget',
  ...DEADLINE_WARNING_CODES,
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

export const MOST_VENDORS = 2000;
export const MOST_BOOKINGS = 500;

const sum = (description: string) => Type.Number({ description });

export const Vendor = Type.Object(
  { id: uuidSchema(), ...outputFields(vendorFields), ...timestampSchemas },
  {
    $id: 'Vendor',
    examples: [{ id: bookingFields.vendor_id.example, ...exampleOf(vendorFields), ...exampleTimes }],
  },
);
export type Vendor = Static<typeof Vendor>;

export const Booking = Type.Object(
  {
    id: uuidSchema(),
    event_id: uuidSchema(),
    ...outputFields(bookingFields),
    plates_charged: orNullSchema<number>({
      type: 'integer',
      description: 'Present number of plates to pay for; null without a price per plate.',
    }),
    children_charged: orNullSchema<number>({
      type: 'integer',
      description: 'Of these, plates at `price_per_child`: children who come; null without that price.',
    }),
    total: orNullSchema<number>({ type: 'number', description: 'Present total price, plates included.' }),
    vendor_id: textOrNullSchema({ format: 'uuid' }),
    vendor_name: Type.String(),
    vendor_kind: textOrNullSchema(),
    ...timestampSchemas,
  },
  {
    $id: 'Booking',
    examples: [
      {
        id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a48',
        event_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
        ...exampleOf(bookingFields),
        plates_charged: null,
        children_charged: null,
        total: bookingFields.price.example,
        vendor_name: vendorFields.name.example,
        vendor_kind: vendorFields.kind.example,
        ...exampleTimes,
      },
    ],
  },
);
export type Booking = Static<typeof Booking>;

export const DeletedBooking = Type.Object(
  {
    ...Booking.properties,
    deleted_at: dateTimeSchema(),
    until: dateTimeSchema('Until then the booking can be restored.'),
  },
  { $id: 'DeletedBooking' },
);
export type DeletedBooking = Static<typeof DeletedBooking>;

export const Payment = Type.Object(
  { id: uuidSchema(), ...outputFields(paymentFields) },
  { $id: 'Payment', examples: [{ id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a49', ...exampleOf(paymentFields) }] },
);
export type Payment = Static<typeof Payment>;

const sums = {
  planned: sum('Total price of the bookings that are not cancelled.'),
  booked: sum('Total price of the confirmed bookings.'),
  paid: sum('All payments made, including those for cancelled bookings.'),
};

const DueNext = Type.Object({
  booking_id: uuidSchema(),
  payment_id: uuidSchema(),
  vendor_name: Type.String(),
  amount: Type.Number(),
  due_date: dateSchema(),
  overdue: Type.Boolean(),
});

export const BudgetView = Type.Object(
  {
    budget: orNullSchema<number>({ type: 'number', description: 'The event’s budget.' }),
    ...sums,
    left: orNullSchema<number>({
      type: 'number',
      description: 'The budget minus the confirmed bookings; null without a budget.',
    }),
    over_budget: Type.Boolean(),
    owed: sum('Outstanding amount of the confirmed bookings.'),
    overdue: sum('Unpaid payments whose due date has passed.'),
    due_next: orNullSchema<Static<typeof DueNext>>({ ...DueNext, description: 'The next payment due.' }),
    by_kind: Type.Array(Type.Object({ kind: Type.String(), ...sums })),
  },
  { $id: 'Budget', description: 'In new shekels, exact to the agora.' },
);

export const Warning = Type.Object(
  {
    code: enumSchema(WARNING_CODES),
    message: Type.String(),
    booking_id: textOrNullSchema({ format: 'uuid' }),
    vendor_id: textOrNullSchema({ format: 'uuid' }),
  },
  { $id: 'EventWarning' },
);
export type Warning = Static<typeof Warning>;

export const sharedSchemas = [Vendor, Booking, DeletedBooking, Payment, BudgetView, Warning];

const vendors = organizerFrames.resource({
  tags: ['vendors'],
  called: 'vendor',
  within: noParameters,
  params: Type.Object({ vendorId: Type.String({ description: 'A UUID; anything else is a 404.' }) }),
  record: Vendor,
  errors: {},
  shown: versionedAnswer(Vendor, 'vendor'),
});
const tags = ['bookings'];
const bookings = eventRecordFrames({
  tags,
  key: 'booking',
  params: eventRecordParams('bookingId'),
  record: Booking,
});
const PARTIAL =
  'Partial: an absent field stays as it is, null clears it. Read-only fields of the record may be sent back and are ignored.';

export const listVendorsSchema = vendors.page(
  { operationId: 'listVendors', summary: 'List your vendors', description: 'By name.' },
  'vendors',
  vendorFilter,
);

export const createVendorSchema = vendors.create(
  { operationId: 'createVendor', summary: 'Add a vendor' },
  bodyOf(vendorFields, { additionalProperties: false, examples: [exampleOf(vendorFields)] }),
);

export const readVendorSchema = vendors.read({
  operationId: 'readVendor',
  summary: 'Read a vendor',
  description: 'One of your own vendors, or a vendor who is booked for an event that you can edit.',
  errors: { 403: true, 404: true },
});

export const updateVendorSchema = vendors.replace(
  { operationId: 'updateVendor', summary: 'Change a vendor', description: PARTIAL, errors: { 404: true } },
  Type.Object(inputFields(vendorFields), { examples: [{ kashrut_expiry_date: '2028-09-10' }] }),
);

export const deleteVendorSchema = vendors.remove({
  operationId: 'deleteVendor',
  summary: 'Delete a vendor',
  description: 'Bookings of the vendor stay.',
  errors: { 404: true },
});

export const listBookingsSchema = bookings.page(
  { operationId: 'listBookings', summary: 'List an event’s bookings', description: 'The oldest first.' },
  'bookings',
  bookingFilter,
);

export const createBookingSchema = bookings.create(
  { operationId: 'createBooking', summary: 'Book a vendor', description: 'The default status is `pending`.' },
  bodyOf(bookingFields, { additionalProperties: false, examples: [exampleOf(bookingFields)] }),
);

export const readBookingSchema = bookings.read({ operationId: 'readBooking', summary: 'Read a booking' });

export const updateBookingSchema = bookings.replace(
  {
    operationId: 'updateBooking',
    summary: 'Change a booking',
    description: `${PARTIAL} \`payments\`, if given, replaces all payments; those with an \`id\` keep it.`,
  },
  Type.Object(inputFields(bookingFields), {
    examples: [{ status: 'confirmed' }, { payments: bookingFields.payments.example }],
  }),
);

export const deleteBookingSchema = bookings.remove({
  operationId: 'deleteBooking',
  summary: 'Delete a booking',
  description: 'It can be restored for 30 days.',
});

export const listDeletedBookingsSchema = organizerFrames.get({
  tags,
  operationId: 'listDeletedBookings',
  summary: 'List deleted bookings',
  description: 'Bookings deleted in the last 30 days, the latest first. For callers who can edit the event.',
  params: eventParam,
  querystring: queryOf(pageQuery),
  response: { 200: pageAnswer(DeletedBooking, 'bookings', 'A page of deleted bookings.') },
  errors: eventErrors,
});

export const restoreBookingSchema = organizerFrames.post({
  tags,
  operationId: 'restoreBooking',
  summary: 'Restore a deleted booking',
  description: 'Within 30 days, with its payments.',
  params: eventRecordParams('bookingId'),
  response: { 200: versionedAnswer(Booking, 'booking')('The restored booking.') },
  errors: eventErrors,
});

const ofBooking = (names: string[]) =>
  Type.Unsafe<{ id: string; bookingId: string; paymentId: string }>({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  });
const payments = organizerFrames.resource({
  tags,
  called: 'payment',
  within: ofBooking(['id', 'bookingId']),
  params: ofBooking(['id', 'bookingId', 'paymentId']),
  record: Payment,
  errors: eventErrors,
  shown: versionedAnswer(Payment, 'payment'),
});
const BY_BOOKING = 'The `ETag` is the booking’s.';

export const addPaymentSchema = payments.create(
  {
    operationId: 'addPayment',
    summary: 'Add a payment to a booking',
    description: `All payments together can’t exceed the total price of the booking. ${BY_BOOKING}`,
  },
  bodyOf(paymentFields, { additionalProperties: false, examples: [exampleOf(paymentFields)] }),
);

export const updatePaymentSchema = payments.replace(
  {
    operationId: 'updatePayment',
    summary: 'Change a payment, such as when it was paid',
    description: `${PARTIAL} ${BY_BOOKING}`,
  },
  Type.Object(inputFields(paymentFields), { examples: [{ paid_date: '2026-11-21' }] }),
);

export const deletePaymentSchema = payments.remove({
  operationId: 'deletePayment',
  summary: 'Remove a payment',
  description: BY_BOOKING,
});

const { get } = eventFrames(tags);

export const listBookedVendorsSchema = organizerFrames.get({
  tags: ['vendors'],
  operationId: 'listBookedVendors',
  summary: 'List the vendors booked for an event',
  description: 'By name, with contact details. For callers who can edit the event.',
  params: eventParam,
  querystring: queryOf(pageQuery),
  response: { 200: pageAnswer(Vendor, 'vendors', 'A page of vendors.') },
  errors: eventErrors,
});

export const budgetSchema = get(
  {
    operationId: 'readBudget',
    summary: 'Read an event’s budget and costs',
    description: 'Planned, booked and paid amounts and the next payment due, against the event’s budget.',
  },
  recordAnswer(BudgetView, 'budget', 'The sums, as of today in Israel.'),
);

export const warningsSchema = get(
  {
    operationId: 'readWarnings',
    summary: 'Read warnings about bookings, budget and the deadline for answers',
    description:
      'A caterer whose certificate is below the event’s kashrut_level or ends before the event, music booked past ' +
      'noise_curfew_time, a vendor booked twice for the same hours, more paid than the price of a booking, payments overdue ' +
      'or due on a day when banks are closed, confirmed bookings above the budget, a deadline for answers that is after the event or ' +
      'has passed although the event was moved to a later date.',
  },
  listAnswer(Warning, 'warnings', 'Empty when all is well.'),
);
