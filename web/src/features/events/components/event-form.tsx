import {
  Alert,
  Button,
  Collapse,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DayField } from '../../../components/day-field.tsx';
import { KeptNote } from '../../../components/kept-note.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeInput } from '../../../components/time-input.tsx';
import { readKept, writeKept } from '../../../lib/kept.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { LANGUAGES } from '../../../lib/languages.ts';
import { problemOf } from '../../../lib/problems.ts';
import { words } from '../words.ts';
import { type EventValues, FIELDS_OF_MORE, fieldOfForm, PREFERENCES } from './form-values.ts';

const KASHRUT = ['none', 'regular', 'mehadrin', 'chalav_yisrael'] as const;
const REQUIRED = ['title', 'date', 'time', 'venue_name'] as const;
/** From here on an event has the checklist of a large one, as the API has it. */
const LARGE = 100;

interface EventFormProps {
  /** Under which what is typed outlives a reload. */
  keptAs: string;
  initial: EventValues;
  submit: string;
  isPending: boolean;
  error: unknown;
  /** Set once and never again. */
  withRetention?: boolean;
  /** Whatever is wrong with them besides what is missing. */
  judge?(values: EventValues): Partial<Record<keyof EventValues, string>>;
  onSubmit(values: EventValues): void;
}

export function EventForm({
  keptAs,
  initial,
  submit,
  isPending,
  error,
  withRetention,
  judge,
  onSubmit,
}: EventFormProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const [kept] = useState(() => readKept<EventValues>(keptAs));
  const [isMore, setMore] = useState(
    () => kept !== undefined && FIELDS_OF_MORE.some((name) => kept[name] !== initial[name]),
  );
  const form = useForm<EventValues>({
    initialValues: { ...initial, ...kept },
    validate: (values) => ({
      ...judge?.(values),
      ...Object.fromEntries(
        REQUIRED.filter((name) => !values[name]?.trim()).map((name) => [name, say('missing')]),
      ),
    }),
    onValuesChange: (values) => writeKept(keptAs, values),
  });

  const problem = error ? problemOf(error, language) : undefined;
  const field = problem?.field && fieldOfForm(problem.field);
  const isAtField = field !== undefined && field in form.values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each answer
  useEffect(() => {
    if (!problem || !isAtField) return;
    form.setFieldError(field, problem.sentence);
    if ((FIELDS_OF_MORE as readonly string[]).includes(field)) setMore(true);
    form.getInputNode(field)?.focus();
  }, [error]);

  const isLarge = Number(form.values.max_guests) >= LARGE;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(onSubmit, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus())}
    >
      <Stack gap="lg">
        {kept && (
          <KeptNote
            onStartOver={() => {
              form.setValues(initial);
              form.clearErrors();
              writeKept(keptAs, undefined);
            }}
          />
        )}
        <TextInput
          label={say('name')}
          placeholder={say('namePlaceholder')}
          dir="auto"
          required
          {...form.getInputProps('title')}
          key={form.key('title')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <div>
            <DayField
              value={form.values.date}
              time={form.values.time}
              guestsLanguage={form.values.language_pref}
              error={form.errors.date}
              onChange={(date) => form.setFieldValue('date', date)}
            />
          </div>
          <TimeInput
            label={say('time')}
            description={say('israelTime')}
            required
            {...form.getInputProps('time')}
          />
        </SimpleGrid>
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
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={say('guests')}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator=","
            {...form.getInputProps('max_guests')}
          />
          <Select
            label={say('kashrut')}
            allowDeselect={false}
            data={KASHRUT.map((value) => ({ value, label: say(`kashrut_${value}`) }))}
            {...form.getInputProps('kashrut_level')}
          />
        </SimpleGrid>
        {isLarge && (
          <Alert color="gray" role="status">
            {say('compliance')}
          </Alert>
        )}
        <div>
          <Button
            variant="subtle"
            px={6}
            aria-expanded={isMore}
            aria-controls="more-of-event"
            rightSection={
              isMore ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />
            }
            onClick={() => setMore(!isMore)}
          >
            {say(isMore ? 'less' : 'more')}
          </Button>
          <Collapse expanded={isMore} id="more-of-event">
            <Stack gap="lg" pt="md">
              <Textarea label={say('description')} dir="auto" {...form.getInputProps('description')} />
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <NumberInput
                  label={say('budget')}
                  prefix="₪"
                  min={0}
                  decimalScale={2}
                  allowNegative={false}
                  thousandSeparator=","
                  dir="ltr"
                  {...form.getInputProps('budget')}
                />
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
                  description={say('bufferHint')}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  min={0}
                  allowDecimal={false}
                  allowNegative={false}
                  {...form.getInputProps('max_plus_ones_buffer')}
                />
                <TimeInput label={say('curfew')} {...form.getInputProps('noise_curfew_time')} />
                <Select
                  label={say('language')}
                  allowDeselect={false}
                  data={Object.entries(PREFERENCES).map(([value, code]) => ({
                    value,
                    label: LANGUAGES[code].name,
                  }))}
                  {...form.getInputProps('language_pref')}
                />
                {withRetention && (
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
          </Collapse>
        </div>
        {problem && !isAtField && <ProblemNote error={error} />}
        <Group>
          <Button type="submit" loading={isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
