import { Button, Group, SegmentedControl, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Booking } from 'simcha-client';
import { DraftNote } from '../../../components/draft-note.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { useAddBooking } from '../api/bookings.ts';
import { useAddVendor, vendorsQuery } from '../api/vendors.ts';
import { words } from '../words.ts';
import { BookingFields } from './booking-fields.tsx';
import { bookingBodyOf, emptyBooking, fieldOfBooking } from './booking-values.ts';
import { KindIcon } from './kind-icon.tsx';
import { VendorFields } from './vendor-fields.tsx';
import { emptyVendor, fieldOfVendor, vendorBodyOf } from './vendor-values.ts';

interface NewBookingProps {
  eventId: string;
  /** Day of the event, for the hours. */
  day: string | null;
  onAdded(booking: Booking): void;
}

/** Form for a new booking, with a vendor from the list or a new one, and what was agreed. */
export function NewBooking({ eventId, day, onAdded }: NewBookingProps) {
  const say = useWords(words);
  const notify = useNotify();
  const { data: vendors } = useQuery(vendorsQuery);
  const addVendor = useAddVendor();
  const addBooking = useAddBooking(eventId);
  const [vendorKey, bookingKey] = [useIdempotencyKey(), useIdempotencyKey()];
  const chosen = useFormDraft(`new-booking-${eventId}`, { source: '', vendor_id: '' }, () => ({}));
  const vendor = useFormDraft(`new-booking-vendor-${eventId}`, emptyVendor, (values) => ({
    ...(!values.name.trim() && { name: say('missing') }),
    ...(!values.kind && { kind: say('missing') }),
  }));
  const booking = useFormDraft(`new-booking-agreed-${eventId}`, { ...emptyBooking, day }, (values) =>
    (values.from || values.until) && !values.day ? { day: say('missing') } : {},
  );
  const [isPending, setPending] = useState(false);
  const vendorProblem = useFieldProblem(vendor.form, addVendor.error, fieldOfVendor);
  const ofBooking = useFieldProblem(booking.form, addBooking.error, fieldOfBooking);
  const bookingProblem = useFieldProblem(chosen.form, ofBooking);
  const source = chosen.form.values.source || (vendors?.length ? 'own' : 'new');
  const parts = [chosen, vendor, booking];

  /**
   * Returns the id of the vendor. A new vendor is selected from the list from then on, so that a later failure creates
   * no second one.
   */
  const vendorId = async (): Promise<string> => {
    if (source === 'own') return chosen.form.values.vendor_id;
    const body = vendorBodyOf(vendor.form.values);
    const { id } = await addVendor.mutateAsync({ body, key: vendorKey(body) });
    chosen.form.setValues({ source: 'own', vendor_id: id });
    vendor.startOver();
    return id;
  };
  const add = async () => {
    const body = { vendor_id: await vendorId(), ...bookingBodyOf(booking.form.values) };
    const added = await addBooking.mutateAsync({ body, key: bookingKey(body) });
    for (const part of parts) part.startOver();
    notify(say('added'));
    onAdded(added);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (source === 'own' && !chosen.form.values.vendor_id) {
      chosen.form.setErrors({ vendor_id: say('missing') });
      return focusOn(chosen.form, 'vendor_id');
    }
    const wrong = source === 'new' ? vendor.form.validate() : { hasErrors: false, errors: {} };
    const also = booking.form.validate();
    if (wrong.hasErrors) return focusOn(vendor.form, Object.keys(wrong.errors)[0]);
    if (also.hasErrors) return focusOn(booking.form, Object.keys(also.errors)[0]);
    setPending(true);
    // Errors are shown by the two mutations.
    add()
      .catch(() => {})
      .finally(() => setPending(false));
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        {parts.some(({ wasRestored }) => wasRestored) && (
          <DraftNote
            onStartOver={() => {
              for (const part of parts) part.startOver();
            }}
          />
        )}
        {vendors && vendors.length > 0 && (
          <SegmentedControl
            fullWidth
            aria-label={say('vendor')}
            value={source}
            onChange={(value) => chosen.form.setFieldValue('source', value)}
            data={[
              { value: 'own', label: say('fromList') },
              { value: 'new', label: say('someoneNew') },
            ]}
          />
        )}
        {source === 'own' ? (
          <Select
            label={say('vendor')}
            placeholder={say('chooseVendor')}
            required
            searchable
            nothingFoundMessage={say('noVendorFound')}
            maxDropdownHeight={320}
            data={(vendors ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            renderOption={({ option }) => {
              const kind = vendors?.find(({ id }) => id === option.value)?.kind ?? 'other';
              return (
                <Group gap="sm" wrap="nowrap" mih={36}>
                  <KindIcon kind={kind} size={18} />
                  <span>
                    <bdi>{option.label}</bdi> · {say(`kind_${kind}`)}
                  </span>
                </Group>
              );
            }}
            {...chosen.form.getInputProps('vendor_id')}
            value={chosen.form.values.vendor_id || null}
            onChange={(id) => chosen.form.setFieldValue('vendor_id', id ?? '')}
          />
        ) : (
          <VendorFields form={vendor.form} withoutNote />
        )}
        <BookingFields form={booking.form} />
        <ProblemNote error={vendorProblem ?? bookingProblem} />
        <Group>
          <Button type="submit" loading={isPending}>
            {say('addIt')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
