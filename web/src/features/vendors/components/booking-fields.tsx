import {
  Input,
  NumberInput,
  type NumberInputProps,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { AmountInput } from '../../../components/amount-input.tsx';
import { DayInput } from '../../../components/day-input.tsx';
import { TimeInput } from '../../../components/time-input.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { BOOKING_STATES } from '../api/search.ts';
import { words } from '../words.ts';
import classes from './booking-fields.module.css';
import { type BookingValues, usualEnd } from './booking-values.ts';

/** Form fields of a booking for the agreement with the vendor: state, price and working hours. */
export function BookingFields({ form }: { form: UseFormReturnType<BookingValues> }) {
  const say = useWords(words);
  const { values } = form;
  const isByPlate = values.pricing === 'plate';
  const isPastMidnight = !values.until_day && usualEnd(values) !== null && usualEnd(values) !== values.day;
  return (
    <>
      <Labelled label={say('status')}>
        <SegmentedControl
          fullWidth
          aria-label={say('status')}
          data={BOOKING_STATES.map((value) => ({ value, label: say(value) }))}
          {...form.getInputProps('status')}
        />
      </Labelled>
      <Labelled label={say('pricing')}>
        <SegmentedControl
          fullWidth
          aria-label={say('pricing')}
          data={(['fixed', 'plate'] as const).map((value) => ({ value, label: say(value) }))}
          {...form.getInputProps('pricing')}
        />
      </Labelled>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {isByPlate && (
          <>
            <AmountInput label={say('pricePerPlate')} {...form.getInputProps('price_per_plate')} />
            <AmountInput
              label={say('pricePerChild')}
              description={say('pricePerChildHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('price_per_child')}
            />
            <Count
              label={say('plates')}
              description={say('platesHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('plates')}
            />
            <Count label={say('minimumPlates')} {...form.getInputProps('minimum_plates')} />
          </>
        )}
        <AmountInput label={say(isByPlate ? 'priceBeside' : 'price')} {...form.getInputProps('price')} />
        <AmountInput label={say('deposit')} {...form.getInputProps('deposit')} />
      </SimpleGrid>
      <Stack gap={4} role="group" aria-label={say('hours')}>
        <SimpleGrid cols={{ base: 2, xs: 3 }}>
          <div className={classes.day}>
            <DayInput label={say('day')} {...form.getInputProps('day')} />
          </div>
          <TimeInput label={say('from')} {...form.getInputProps('from')} />
          <TimeInput label={say('until')} {...form.getInputProps('until')} />
          {values.until_day && <DayInput label={say('untilDay')} {...form.getInputProps('until_day')} />}
        </SimpleGrid>
        <Text size="sm" c="dimmed" mih={20} aria-live="polite">
          {isPastMidnight && say('nextDay')}
        </Text>
      </Stack>
      <Textarea label={say('note')} dir="auto" {...form.getInputProps('note')} />
    </>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Input.Label component="div" size="md" mb={4} aria-hidden>
        {label}
      </Input.Label>
      {children}
    </div>
  );
}

const Count = (props: NumberInputProps) => (
  <NumberInput
    min={1}
    allowDecimal={false}
    allowNegative={false}
    thousandSeparator=","
    hideControls
    {...props}
  />
);
