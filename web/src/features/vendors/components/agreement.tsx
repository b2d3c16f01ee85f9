import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { EditForm } from '../../../components/edit-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { bookingQuery, type ReadBooking, useChangeBooking } from '../api/bookings.ts';
import { words } from '../words.ts';
import { BookingFields } from './booking-fields.tsx';
import {
  type BookingValues,
  bookingBodyOf,
  bookingChangesOf,
  bookingValuesOf,
  fieldOfBooking,
} from './booking-values.ts';

/** Form for the agreement with a vendor: state, price and working hours. */
export function Agreement({ read, eventDay }: { read: ReadBooking; eventDay: string | null }) {
  const say = useWords(words);
  const { id, event_id: eventId } = read.booking;
  const store = useChangeBooking(eventId, id);
  const valuesOf = ({ booking }: ReadBooking) => bookingValuesOf(booking, eventDay);
  const show = (name: keyof BookingValues, value: BookingValues[keyof BookingValues]): string =>
    name === 'status' || name === 'pricing' ? say(value as BookingValues['status']) : String(value ?? '');
  return (
    <EditForm
      read={read}
      query={bookingQuery(eventId, id)}
      draftKey={`booking-${id}`}
      valuesOf={valuesOf}
      changesOf={bookingChangesOf}
      send={(body, { etag }): Promise<ReadBooking> => store.mutateAsync({ body, etag })}
      // Version of the stored values, made only of those in this form. The ETag would also change with the booking's
      // payments.
      versionOf={(of) => JSON.stringify(bookingBodyOf(valuesOf(of)))}
      label={(name) => say(LABELS[name])}
      show={show}
    >
      {(form) => <AgreementForm {...form} />}
    </EditForm>
  );
}

function AgreementForm({ draftKey, initial, ...state }: FormState<BookingValues>) {
  const say = useWords(words);
  const draft = useFormDraft(draftKey, initial, (values) =>
    (values.from || values.until) && !values.day ? { day: say('dayMissing') } : {},
  );
  return (
    <DraftForm {...state} draft={draft} fieldOf={fieldOfBooking} submit={say('save')}>
      <BookingFields form={draft.form} />
    </DraftForm>
  );
}

const LABELS = {
  status: 'status',
  pricing: 'pricing',
  price: 'price',
  price_per_plate: 'pricePerPlate',
  price_per_child: 'pricePerChild',
  plates: 'plates',
  minimum_plates: 'minimumPlates',
  deposit: 'deposit',
  day: 'day',
  from: 'from',
  until: 'until',
  until_day: 'untilDay',
  note: 'note',
} as const satisfies Record<keyof BookingValues, keyof typeof words>;
