import { Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SimchaError } from 'simcha-client';
import { focusOn, useFieldProblem, useKeptForm } from '../../../components/kept-form.ts';
import { KeptNote } from '../../../components/kept-note.tsx';
import { fieldsOfBoth, Merge, merged } from '../../../components/merge.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useTell } from '../../../components/tell.ts';
import { readKept, writeKept } from '../../../lib/kept.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { bookingQuery, type ReadBooking, useChangeBooking } from '../api/bookings.ts';
import { words } from '../words.ts';
import { BookingFields } from './booking-fields.tsx';
import { type BookingValues, bodyOf, changesOf, fieldOfBooking, valuesOf } from './booking-values.ts';

/** What was agreed with a vendor, to be changed; where somebody else changes it meanwhile, one chooses. */
export function Agreement({ read, eventDay }: { read: ReadBooking; eventDay: string | null }) {
  const say = useWords(words);
  const tell = useTell();
  const { id, event_id: eventId } = read.booking;
  const keptAs = `booking-${id}`;
  const queries = useQueryClient();
  const change = useChangeBooking(eventId, id);
  // What the form was made of: what comes in from elsewhere does not change what one is typing over.
  const [base, setBase] = useState(read);
  const [typed, setTyped] = useState<BookingValues>();
  const valuesIn = ({ booking }: ReadBooking) => valuesOf(booking, eventDay);
  const [before, stored] = [valuesIn(base), valuesIn(read)];
  // A payment makes a new version, too, of which nothing stands here.
  const isSame = JSON.stringify(bodyOf(before)) === JSON.stringify(bodyOf(stored));
  if (!isSame && !typed && readKept(keptAs) === undefined) setBase(read);

  const show = (name: keyof BookingValues, value: BookingValues[keyof BookingValues]): string =>
    name === 'status' || name === 'pricing' ? say(value as BookingValues['status']) : String(value ?? '');
  const save = (values: BookingValues, of: ReadBooking) => {
    const body = changesOf(values, valuesIn(of));
    if (Object.keys(body).length === 0) {
      writeKept(keptAs, undefined);
      setTyped(undefined);
      setBase(of);
      tell(say('nothingChanged'));
      return;
    }
    change.mutate(
      { body, etag: of.etag },
      {
        onSuccess(after) {
          writeKept(keptAs, undefined);
          setTyped(undefined);
          setBase(after);
          tell(say('saved'));
        },
        async onError(error) {
          if (!(error instanceof SimchaError) || error.status !== 412) return;
          const now = await queries.fetchQuery({ ...bookingQuery(eventId, id), staleTime: 0 });
          const three = { before, typed: values, stored: valuesIn(now) };
          if (fieldsOfBoth(three).length > 0) setTyped(values);
          else save(merged(three), now);
        },
      },
    );
  };
  if (typed && !isSame) {
    const three = { before, typed, stored };
    return (
      <Merge
        {...three}
        label={(name) => say(LABELS[name])}
        show={show}
        isPending={change.isPending}
        onChosen={(values) => save(values, read)}
      />
    );
  }
  return (
    <AgreementForm
      key={JSON.stringify(bodyOf(before))}
      keptAs={keptAs}
      initial={before}
      isPending={change.isPending}
      error={change.error}
      onSubmit={(values) => save(values, isSame ? read : base)}
    />
  );
}

interface AgreementFormProps {
  keptAs: string;
  initial: BookingValues;
  isPending: boolean;
  error: unknown;
  onSubmit(values: BookingValues): void;
}

function AgreementForm({ keptAs, initial, isPending, error, onSubmit }: AgreementFormProps) {
  const say = useWords(words);
  const { form, wasKept, startOver } = useKeptForm(keptAs, initial, (values) =>
    (values.from || values.until) && !values.day ? { day: say('dayMissing') } : {},
  );
  const isOutdated = error instanceof SimchaError && error.status === 412;
  const problem = useFieldProblem(form, isOutdated ? undefined : error, fieldOfBooking);
  return (
    <form noValidate onSubmit={form.onSubmit(onSubmit, (errors) => focusOn(form, Object.keys(errors)[0]))}>
      <Stack gap="md">
        {wasKept && <KeptNote onStartOver={startOver} />}
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
