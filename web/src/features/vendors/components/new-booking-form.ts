import { type FormEvent, useState } from 'react';
import type { Booking, Vendor } from 'simcha-client';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { useNotify } from '../../../components/notify.ts';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { useAddBooking } from '../api/bookings.ts';
import { useAddVendor } from '../api/vendors.ts';
import { words } from '../words.ts';
import { bookingBodyOf, emptyBooking, fieldOfBooking } from './booking-values.ts';
import { emptyVendor, fieldOfVendor, vendorBodyOf } from './vendor-values.ts';

export interface NewBookingProps {
  eventId: string;
  /** Day of the event, which is the default day of the vendor's working hours. */
  day: string | null;
  onAdded(booking: Booking): void;
}

/**
 * State of the form for a new booking. It has three drafts: the choice of a vendor, a new vendor, and the booking. A
 * new vendor is saved before the booking.
 */
export function useNewBooking({ eventId, day, onAdded }: NewBookingProps, vendors: readonly Vendor[]) {
  const say = useWords(words);
  const notify = useNotify();
  const addVendor = useAddVendor();
  const addBooking = useAddBooking(eventId);
  const [vendorKey, bookingKey] = [useIdempotencyKey(), useIdempotencyKey()];
  const choice = useFormDraft(`new-booking-${eventId}`, { source: '', vendor_id: '' }, () => ({}));
  const vendor = useFormDraft(`new-booking-vendor-${eventId}`, emptyVendor, (values) => ({
    ...(!values.name.trim() && { name: say('missing') }),
    ...(!values.kind && { kind: say('missing') }),
  }));
  const booking = useFormDraft(`new-booking-agreed-${eventId}`, { ...emptyBooking, day }, (values) =>
    (values.from || values.until) && !values.day ? { day: say('missing') } : {},
  );
  const [isPending, setPending] = useState(false);
  const vendorProblem = useFieldProblem(vendor.form, addVendor.error, fieldOfVendor);
  const otherProblem = useFieldProblem(booking.form, addBooking.error, fieldOfBooking);
  const bookingProblem = useFieldProblem(choice.form, otherProblem);
  const source = choice.form.values.source || (vendors.length > 0 ? 'own' : 'new');
  const parts = [choice, vendor, booking];
  const startOver = () => {
    for (const part of parts) part.startOver();
  };

  /**
   * Returns the id of the booking's vendor. A new vendor is saved and then selected in the list, so that a later
   * failure creates no second one.
   */
  const vendorId = async (): Promise<string> => {
    if (source === 'own') return choice.form.values.vendor_id;
    const body = vendorBodyOf(vendor.form.values);
    const { id } = await addVendor.mutateAsync({ body, key: vendorKey(body) });
    choice.form.setValues({ source: 'own', vendor_id: id });
    vendor.startOver();
    return id;
  };
  const add = async () => {
    const body = { vendor_id: await vendorId(), ...bookingBodyOf(booking.form.values) };
    const added = await addBooking.mutateAsync({ body, key: bookingKey(body) });
    startOver();
    notify(say('added'));
    onAdded(added);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (source === 'own' && !choice.form.values.vendor_id) {
      choice.form.setErrors({ vendor_id: say('missing') });
      return focusOn(choice.form, 'vendor_id');
    }
    const vendorErrors = source === 'new' ? vendor.form.validate() : { hasErrors: false, errors: {} };
    const bookingErrors = booking.form.validate();
    if (vendorErrors.hasErrors) return focusOn(vendor.form, Object.keys(vendorErrors.errors)[0]);
    if (bookingErrors.hasErrors) return focusOn(booking.form, Object.keys(bookingErrors.errors)[0]);
    setPending(true);
    // Failures to save the vendor or the booking are ignored here, because the form shows them.
    add()
      .catch(() => {})
      .finally(() => setPending(false));
  };
  const problem = vendorProblem ?? bookingProblem;
  return { choice, vendor, booking, source, problem, isPending, submit, parts, startOver };
}
