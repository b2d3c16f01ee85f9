import { Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { DraftNote } from '../../../components/draft-note.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { MergeConflict } from '../../../components/merge-conflict.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useSaveWithMerge } from '../../../components/save-with-merge.ts';
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

/**
 * Form for what was agreed with a vendor. If it was changed elsewhere meanwhile, the user chooses between the versions.
 */
export function Agreement({ read, eventDay }: { read: ReadBooking; eventDay: string | null }) {
  const say = useWords(words);
  const notify = useNotify();
  const { id, event_id: eventId } = read.booking;
  const draftKey = `booking-${id}`;
  const queries = useQueryClient();
  const store = useChangeBooking(eventId, id);
  const change = useSaveWithMerge({
    read,
    draftKey,
    valuesOf: ({ booking }) => bookingValuesOf(booking, eventDay),
    changesOf: bookingChangesOf,
    readAgain: () => queries.fetchQuery({ ...bookingQuery(eventId, id), staleTime: 0 }),
    send: (body, { etag }): Promise<ReadBooking> => store.mutateAsync({ body, etag }),
    onStored: (isOther) => notify(say(isOther ? 'saved' : 'nothingChanged')),
  });
  const show = (name: keyof BookingValues, value: BookingValues[keyof BookingValues]): string =>
    name === 'status' || name === 'pricing' ? say(value as BookingValues['status']) : String(value ?? '');
  if (change.conflict) {
    return (
      <MergeConflict
        {...change.conflict}
        label={(name) => say(LABELS[name])}
        show={show}
        isPending={change.isPending}
        onChosen={change.choose}
      />
    );
  }
  return (
    <AgreementForm
      // Payments change the version too, but none of the values of this form.
      key={JSON.stringify(bookingBodyOf(change.before))}
      draftKey={draftKey}
      initial={change.before}
      isPending={change.isPending}
      error={change.error}
      onSubmit={change.save}
    />
  );
}

interface AgreementFormProps {
  draftKey: string;
  initial: BookingValues;
  isPending: boolean;
  error: unknown;
  onSubmit(values: BookingValues): void;
}

function AgreementForm({ draftKey, initial, isPending, error, onSubmit }: AgreementFormProps) {
  const say = useWords(words);
  const { form, wasRestored, startOver } = useFormDraft(draftKey, initial, (values) =>
    (values.from || values.until) && !values.day ? { day: say('dayMissing') } : {},
  );
  const problem = useFieldProblem(form, error, fieldOfBooking);
  return (
    <form noValidate onSubmit={form.onSubmit(onSubmit, (errors) => focusOn(form, Object.keys(errors)[0]))}>
      <Stack gap="md">
        {wasRestored && <DraftNote onStartOver={startOver} />}
        <BookingFields form={form} />
        <ProblemNote error={problem} />
        <Group>
          <Button type="submit" loading={isPending}>
            {say('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const LABELS = {
  status: 'status',
  pricing: 'pricing',
  price: 'price',
  price_per_plate: 'pricePerPlate',
  plates: 'plates',
  minimum_plates: 'minimumPlates',
  deposit: 'deposit',
  day: 'day',
  from: 'from',
  until: 'until',
  until_day: 'untilDay',
  note: 'note',
} as const satisfies Record<keyof BookingValues, keyof typeof words>;
