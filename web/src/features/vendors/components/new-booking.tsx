import { Button, Group, SegmentedControl, Select, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { Vendor } from 'simcha-client';
import { DraftNote } from '../../../components/draft-note.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { vendorsQuery } from '../api/vendors.ts';
import { words } from '../words.ts';
import { BookingFields } from './booking-fields.tsx';
import { KindIcon } from './kind-icon.tsx';
import { type NewBookingProps, useNewBooking } from './new-booking-form.ts';
import { VendorFields } from './vendor-fields.tsx';

/** Form that books a vendor for an event: a vendor from the user's list or a new one, and what was agreed. */
export function NewBooking({ eventId, day, onAdded }: NewBookingProps) {
  const say = useWords(words);
  const { data: vendors = [] } = useQuery(vendorsQuery);
  const { choice, vendor, booking, source, problem, isPending, submit, parts, startOver } = useNewBooking(
    { eventId, day, onAdded },
    vendors,
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        {parts.some(({ wasRestored }) => wasRestored) && <DraftNote onStartOver={startOver} />}
        {vendors.length > 0 && (
          <SegmentedControl
            fullWidth
            aria-label={say('vendor')}
            value={source}
            onChange={(value) => choice.form.setFieldValue('source', value)}
            data={[
              { value: 'own', label: say('fromList') },
              { value: 'new', label: say('someoneNew') },
            ]}
          />
        )}
        {source === 'own' ? (
          <VendorSelect form={choice.form} vendors={vendors} />
        ) : (
          <VendorFields form={vendor.form} withoutNote />
        )}
        <BookingFields form={booking.form} />
        <ProblemNote error={problem} />
        <Group>
          <Button type="submit" loading={isPending}>
            {say('addIt')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type VendorChoice = { source: string; vendor_id: string };

interface VendorSelectProps {
  form: UseFormReturnType<VendorChoice>;
  vendors: readonly Vendor[];
}

/** Field in which the user chooses one of their own vendors for the booking. */
function VendorSelect({ form, vendors }: VendorSelectProps) {
  const say = useWords(words);
  return (
    <Select
      label={say('vendor')}
      placeholder={say('chooseVendor')}
      required
      searchable
      nothingFoundMessage={say('noVendorFound')}
      maxDropdownHeight={320}
      data={vendors.map(({ id, name }) => ({ value: id, label: name }))}
      renderOption={({ option }) => {
        const kind = vendors.find(({ id }) => id === option.value)?.kind ?? 'other';
        return (
          <Group gap="sm" wrap="nowrap" mih={36}>
            <KindIcon kind={kind} size={18} />
            <span>
              <bdi>{option.label}</bdi> · {say(`kind_${kind}`)}
            </span>
          </Group>
        );
      }}
      {...form.getInputProps('vendor_id')}
      value={form.values.vendor_id || null}
      onChange={(id) => form.setFieldValue('vendor_id', id ?? '')}
    />
  );
}
