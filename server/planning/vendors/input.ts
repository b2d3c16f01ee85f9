import { DEFAULT_ZONE, timestamp } from '../../kernel/clock.ts';
import {
  amount,
  choice,
  clearable,
  date,
  dateTime,
  email,
  FieldProblem,
  type Fields,
  fieldsOf,
  list,
  text,
  withoutUndefined,
} from '../../kernel/fields.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { KASHRUT_LEVELS } from '../events/contract.ts';
import {
  BOOKING_STATUSES,
  type BookingInput,
  LENGTHS,
  MOST_PAYMENTS,
  type Payment,
  VENDOR_KINDS,
  type VendorInput,
} from './contract.ts';
import { messages } from './messages.ts';

const BLANK_VENDOR: Omit<VendorInput, 'name' | 'kind'> = {
  contact_name: null,
  phone: null,
  email: null,
  kashrut_level: 'none',
  kashrut_issuer: null,
  kashrut_expiry_date: null,
  note: null,
};

/** The vendor a body describes; with `current`, that one as the body changes it. */
export function readVendor(body: unknown, current?: VendorInput): VendorInput {
  const fields = fieldsOf(body);
  const given = withoutUndefined({
    name: required(fields, 'name', (field, value) => text(field, value, LENGTHS.name)),
    kind: required(fields, 'kind', (field, value) => choice(field, value, VENDOR_KINDS)),
    contact_name: shortText(fields, 'contact_name'),
    phone: shortText(fields, 'phone'),
    email: clearable(fields, 'email', email),
    kashrut_level: defaulted(fields, 'kashrut_level', 'none', (field, value) =>
      choice(field, value, KASHRUT_LEVELS),
    ),
    kashrut_issuer: shortText(fields, 'kashrut_issuer'),
    kashrut_expiry_date: day(fields, 'kashrut_expiry_date'),
    note: shortText(fields, 'note'),
  });
  if (current) return { ...current, ...given };
  const { name, kind } = given;
  if (name === undefined) throw new FieldProblem('name', { kind: 'missing' });
  if (kind === undefined) throw new FieldProblem('kind', { kind: 'missing' });
  return { ...BLANK_VENDOR, ...given, name, kind };
}

const BLANK_BOOKING: Omit<BookingInput, 'vendor_id'> = {
  status: 'pending',
  price: null,
  deposit: null,
  starts_at: null,
  ends_at: null,
  note: null,
  payments: [],
};

/** The booking a body describes; with `current`, that one as the body changes it. */
export function readBooking(body: unknown, current?: BookingInput): BookingInput {
  const fields = fieldsOf(body);
  const given = withoutUndefined({
    vendor_id: required(fields, 'vendor_id', vendorId),
    status: defaulted(fields, 'status', 'pending', (field, value) => choice(field, value, BOOKING_STATUSES)),
    price: clearable(fields, 'price', amount),
    deposit: clearable(fields, 'deposit', amount),
    starts_at: instant(fields, 'starts_at'),
    ends_at: instant(fields, 'ends_at'),
    note: shortText(fields, 'note'),
    payments: defaulted(fields, 'payments', [], readPayments),
  });
  const vendor_id = given.vendor_id ?? current?.vendor_id;
  if (vendor_id === undefined) throw new FieldProblem('vendor_id', { kind: 'missing' });
  const booking = { ...BLANK_BOOKING, ...current, ...given, vendor_id };
  if (booking.deposit !== null && booking.price !== null && booking.deposit > booking.price) {
    throw new Refusal(400, 'invalid_field', messages.depositAbovePrice);
  }
  if (booking.starts_at !== null && booking.ends_at !== null && booking.ends_at <= booking.starts_at) {
    throw new Refusal(400, 'invalid_field', messages.endsBeforeItStarts);
  }
  return booking;
}

function readPayments(field: string, value: unknown): Payment[] {
  return list(field, value, MOST_PAYMENTS).map((item, index) => {
    const place = `${field}[${index}]`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw new FieldProblem(place, { kind: 'object' });
    }
    const fields = item as Fields;
    const at = (name: string) => `${place}.${name}`;
    if (fields.amount === undefined) throw new FieldProblem(at('amount'), { kind: 'missing' });
    return {
      amount: amount(at('amount'), fields.amount),
      due_date: clearable(fields, 'due_date', (name, some) => date(at(name), some).toString()) ?? null,
      paid_date: clearable(fields, 'paid_date', (name, some) => date(at(name), some).toString()) ?? null,
      note: clearable(fields, 'note', (name, some) => text(at(name), some, LENGTHS.note)) ?? null,
    };
  });
}

function vendorId(field: string, value: unknown): string {
  const id = text(field, value, 100);
  if (!isUuid(id)) throw new Refusal(400, 'invalid_field', messages.unknownVendor);
  return id.toLowerCase();
}

/** A field that has to be something: absent it stays, cleared it is missing. */
function required<T>(
  fields: Fields,
  field: string,
  read: (field: string, value: unknown) => T,
): T | undefined {
  const value = clearable(fields, field, read);
  if (value === null) throw new FieldProblem(field, { kind: 'missing' });
  return value;
}

/** A field that is never null: cleared it takes its default. */
function defaulted<T>(
  fields: Fields,
  field: string,
  instead: T,
  read: (field: string, value: unknown) => T,
): T | undefined {
  const value = clearable(fields, field, read);
  return value === null ? instead : value;
}

function shortText(fields: Fields, field: keyof typeof LENGTHS) {
  return clearable(fields, field, (_field, value) => text(field, value, LENGTHS[field]));
}

function day(fields: Fields, field: string): string | null | undefined {
  return clearable(fields, field, (_field, value) => date(field, value).toString());
}

/** As the API shows it, so that it can be compared with what is stored. */
function instant(fields: Fields, field: string): string | null | undefined {
  return clearable(fields, field, (_field, value) => timestamp(dateTime(field, value, DEFAULT_ZONE)));
}
