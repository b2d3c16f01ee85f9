import { fieldsOf, invalidField } from '../../kernel/fields.ts';
import { readWhole } from '../../kernel/takes.ts';
import { type BookingInput, bookingFields, type VendorInput, vendorFields } from './fields.ts';
import { messages } from './messages.ts';

/** The vendor a body describes; with `current`, that one as the body changes it. */
export function readVendor(body: unknown, current?: VendorInput): VendorInput {
  return readWhole(vendorFields, fieldsOf(body), current);
}

/** The booking a body describes; with `current`, that one as the body changes it. */
export function readBooking(body: unknown, current?: BookingInput): BookingInput {
  const booking: BookingInput = readWhole(bookingFields, fieldsOf(body), current);
  const { price, deposit, starts_at, ends_at } = booking;
  if (deposit !== null && price !== null && deposit > price) {
    throw invalidField('deposit', messages.depositAbovePrice);
  }
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at) {
    throw invalidField('ends_at', messages.endsBeforeItStarts);
  }
  return booking;
}
