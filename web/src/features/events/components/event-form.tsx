import { Alert, Button, NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { SimchaError } from 'simcha-client';
import { AmountInput } from '../../../components/amount-input.tsx';
import { DayAndTime } from '../../../components/day-and-time.tsx';
import { DayField } from '../../../components/day-field.tsx';
import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { TimeInput } from '../../../components/time-input.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGES } from '../../../lib/languages.ts';
import { typedTime } from '../../../lib/time-of-day.ts';
import { words } from '../words.ts';
import { EVENT_KINDS, type EventKind, valuesWithKind } from './event-kind.ts';
import { type EventValues, FIELDS_OF_MORE, fieldOfEvent, languageOf } from './form-values.ts';

const KASHRUT = ['none', 'regular', 'mehadrin', 'chalav_yisrael'] as const;
const REQUIRED = ['title', 'date', 'time', 'venue_name'] as const;
/** Number of guests from which on an event needs the checklist of large events, as in the API. */
const LARGE = 100;

interface EventFormProps extends FormState<EventValues> {
  submit: string;
  /**
   * True for a new event: only then the form has the kind of event, the limit of plus-ones for each guest and the
   * retention of guests' data, and the guests' language follows the title.
   */
  isNew?: boolean;
  /** Returns the errors of the form's values. Missing required values are checked elsewhere. */
  validateMore?(values: EventValues): Partial<Record<keyof EventValues, string>>;
}

export function EventForm({ draftKey, initial, isNew = false, validateMore, ...state }: EventFormProps) {
  const say = useWords(words);
  const draft = useFormDraft<EventValues>(draftKey, initial, (values) => ({
    ...validateMore?.(values),
    ...Object.fromEntries(
      REQUIRED.filter((name) => !values[name]?.trim()).map((name) => [name, say('missing')]),
    ),
    ...(!typedTime(values.time) && { time: say('missing') }),
    ...(isNew && values.plus_ones_each === '' && { plus_ones_each: say('missing') }),
  }));
  const { form } = draft;
  // A new event's guests get the language of its title until the user chooses another language.
  const [isLanguageChosen, setLanguageChosen] = useState(form.values.language_pref !== initial.language_pref);
  const followTitle = (title: string) => {
    if (isNew && !isLanguageChosen)
      form.setFieldValue('language_pref', languageOf(title) ?? initial.language_pref);
  };
  return (
    <DraftForm {...state} draft={draft} fieldOf={fieldOfEvent} gap="lg">
      <TextInput
        label={say('name')}
        placeholder={say('namePlaceholder')}
        dir="auto"
        required
        {...form.getInputProps('title')}
        onBlur={({ currentTarget: { value } }) => followTitle(value)}
        key={form.key('title')}
      />
      {isNew && <KindField form={form} />}
      <PlaceAndTime form={form} />
      <GuestsFields form={form} isNew={isNew} onLanguage={() => setLanguageChosen(true)} />
      <MoreFields form={form} initial={initial} error={state.error} isNew={isNew} />
    </DraftForm>
  );
}

interface FieldsProps {
  form: UseFormReturnType<EventValues>;
}

/** Field for the kind of a new event, which sets the defaults of other fields. */
function KindField({ form }: FieldsProps) {
  const say = useWords(words);
  return (
    <Select
      label={say('kind')}
      placeholder={say('kindPlaceholder')}
      clearable
      data={EVENT_KINDS.map((value) => ({ value, label: say(`kind_${value}`) }))}
      {...form.getInputProps('kind')}
      onChange={(kind) => form.setValues(valuesWithKind(form.values, kind as EventKind | null))}
    />
  );
}

function PlaceAndTime({ form }: FieldsProps) {
  const say = useWords(words);
  return (
    <>
      <DayAndTime
        day={
          <DayField
            data-path="date"
            value={form.values.date}
            time={form.values.time}
            guestsLanguage={form.values.language_pref}
            error={form.errors.date}
            onChange={(date) => form.setFieldValue('date', date)}
          />
        }
        time={{ required: true, ...form.getInputProps('time') }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={say('venue')}
          placeholder={say('venuePlaceholder')}
          dir="auto"
          required
          {...form.getInputProps('venue_name')}
        />
        <TextInput
          label={say('address')}
          dir="auto"
          autoComplete="off"
          {...form.getInputProps('venue_address')}
        />
      </SimpleGrid>
    </>
  );
}

/** Fields for the number of guests, kashrut and the guests' language. */
function GuestsFields({ form, isNew, onLanguage }: FieldsProps & { isNew: boolean; onLanguage(): void }) {
  const say = useWords(words);
  const languageInput = form.getInputProps('language_pref');
  const isLarge = Number(form.values.max_guests) >= LARGE;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label={say('guests')}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          {...form.getInputProps('max_guests')}
        />
        {isNew && (
          <NumberInput
            label={say('plus_ones_each')}
            description={say('plus_ones_eachHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={0}
            max={99}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps('plus_ones_each')}
          />
        )}
        <Select
          label={say('kashrut')}
          allowDeselect={false}
          data={KASHRUT.map((value) => ({ value, label: say(`kashrut_${value}`) }))}
          {...form.getInputProps('kashrut_level')}
        />
        <Select
          label={say('language')}
          allowDeselect={false}
          data={Object.entries(CODE_OF).map(([value, code]) => ({
            value,
            label: LANGUAGES[code].name,
          }))}
          {...languageInput}
          onChange={(value) => {
            onLanguage();
            languageInput.onChange(value);
          }}
        />
      </SimpleGrid>
      {isLarge && (
        <Alert color="gray" role="status">
          {say('compliance')}
        </Alert>
      )}
    </>
  );
}

interface MoreFieldsProps extends FieldsProps {
  initial: EventValues;
  error: unknown;
  isNew: boolean;
}

/**
 * Fields of the event form that most users leave at their defaults. The form shows these fields on request, or if one
 * of them was changed or has an error.
 */
function MoreFields({ form, initial, error, isNew }: MoreFieldsProps) {
  const say = useWords(words);
  const [isMore, setMore] = useState(() =>
    FIELDS_OF_MORE.some((name) => form.values[name] !== initial[name]),
  );
  const [shownError, setShownError] = useState(error);
  if (error !== shownError) {
    setShownError(error);
    // The collapsed fields of the event form are shown first: a hidden field with an error could not be focused.
    if (FIELDS_OF_MORE.some((name) => name === (error instanceof SimchaError && error.field))) setMore(true);
  }
  return (
    <div>
      <Button
        variant="subtle"
        px={6}
        aria-expanded={isMore}
        aria-controls="more-of-event"
        rightSection={isMore ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
        onClick={() => setMore(!isMore)}
      >
        {say(isMore ? 'less' : 'more')}
      </Button>
      <div hidden={!isMore} id="more-of-event">
        <Stack gap="lg" pt="md">
          <Textarea label={say('description')} dir="auto" {...form.getInputProps('description')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <AmountInput label={say('budget')} {...form.getInputProps('budget')} />
            <NumberInput
              label={say('capacity')}
              min={1}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator=","
              {...form.getInputProps('venue_capacity')}
            />
            <NumberInput
              label={say('buffer')}
              description={say(isNew ? 'bufferHint' : 'bufferHintLater')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              min={0}
              allowDecimal={false}
              allowNegative={false}
              {...form.getInputProps('max_plus_ones_buffer')}
            />
            <TimeInput label={say('curfew')} {...form.getInputProps('noise_curfew_time')} />
            {isNew && (
              <NumberInput
                label={say('retention')}
                min={0}
                allowDecimal={false}
                allowNegative={false}
                {...form.getInputProps('retention_policy_days')}
              />
            )}
          </SimpleGrid>
        </Stack>
      </div>
    </div>
  );
}
