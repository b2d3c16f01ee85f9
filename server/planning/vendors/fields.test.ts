import { test } from 'node:test';
import {
  assertSchemaAgrees,
  type Description,
  decimalsRule,
  ruleForFields,
  TEXT_RULES,
} from '../../../test/support/schema-agreement.ts';
import {
  createBookingSchema,
  createVendorSchema,
  updateBookingSchema,
  updateVendorSchema,
} from './contract.ts';
import { readBooking, readVendor } from './input.ts';

const ID = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47';
const VENDOR = readVendor({ name: 'קייטרינג הגפן', kind: 'catering' });
const TODAY = '2027-01-10';
const BOOKING = readBooking({ vendor_id: ID }, TODAY);

const vendor = {
  rules: {
    ...TEXT_RULES,
    email: ruleForFields('email'),
    date: ruleForFields('kashrut_expiry_date'),
  },
  telling: [
    'דנה',
    'dj',
    'mehadrin',
    'dana@example.com',
    '03-1234567',
    '2027-02-28',
    '2027-02-31',
    'a'.repeat(301),
  ],
} satisfies Partial<Description>;

const payment = { amount: 10, due_date: '2027-06-10', paid_date: null, note: 'x' };
const booking = {
  rules: {
    ...TEXT_RULES,
    /** Missing fields of a payment are reported too, although they are no fields of the body. */
    missing: (field) => /^payments\[\d+\]/.test(field),
    amount: decimalsRule,
    date: (field) => /^payments\[\d+\]\.(due|paid)_date$/.test(field),
    date_time: ruleForFields('starts_at', 'ends_at'),
    /** Own rules: payments and deposit within the price, end after start, plates only with a price, known ids. */
    own: (field) =>
      /^(deposit|ends_at|vendor_id|price_per_child|plates|minimum_plates|payments(\[\d+\]\.(id|paid_date))?)$/.test(
        field,
      ),
  },
  telling: [
    ID,
    'confirmed',
    100.25,
    0.001,
    '2027-06-15T14:00',
    '2027-06-15T20:00Z',
    '2027-02-31T10:00',
    [],
    [payment],
    [{ ...payment, amount: '10' }],
    [{ ...payment, id: ID }],
    [{ ...payment, paid_date: '2027-01-11' }],
    [{ due_date: null }],
    [{ ...payment, due_date: '2027-02-31' }],
    [5],
  ],
} satisfies Partial<Description>;

for (const [what, description] of [
  ['a new vendor', { ...vendor, schema: createVendorSchema.body, read: readVendor, always: VENDOR }],
  [
    'a vendor’s change',
    { ...vendor, schema: updateVendorSchema.body, read: (body) => readVendor(body, VENDOR) },
  ],
  [
    'a new booking',
    {
      ...booking,
      schema: createBookingSchema.body,
      read: (body) => readBooking(body, TODAY),
      always: { vendor_id: ID },
    },
  ],
  [
    'a booking’s change',
    { ...booking, schema: updateBookingSchema.body, read: (body) => readBooking(body, TODAY, BOOKING) },
  ],
] satisfies [string, Description][]) {
  test(`what fits the schema of ${what} is refused by a named rule alone, and what does not is refused`, () => {
    assertSchemaAgrees(description);
  });
}
