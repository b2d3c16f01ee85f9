import {
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGES } from '../../../lib/languages.ts';
import { eventQuery } from '../../events/api/events.ts';
import { SETTABLE_ANSWERS } from '../api/answer.ts';
import { rsvpSettingsQuery, tagsQuery } from '../api/guests.ts';
import { words } from '../words.ts';
import { Section } from './guest-form-section.tsx';
import { type GuestValues, hasConfirmed, mealsOf } from './guest-values.ts';
import { LARGEST_PARTY } from './party-field.tsx';

const MOST_TAGS = 20;
/** Limits and format of form fields for a number of people. */
const PEOPLE = { min: 0, max: LARGEST_PARTY, allowDecimal: false, allowNegative: false } as const;

export interface FieldsProps {
  form: UseFormReturnType<GuestValues>;
}

interface AnswerSectionProps extends FieldsProps {
  /**
   * True if the guest was on the waiting list when the form was opened. The form then also offers the waiting list as a
   * reply.
   */
  wasWaiting: boolean;
}

/** Fields of the guest form for the reply and, if it is yes, for the number of people who come. */
export function AnswerSection({ form, wasWaiting }: AnswerSectionProps) {
  const say = useWords(words);
  const { values } = form;
  return (
    <Section title={say('answer')}>
      <SegmentedControl
        aria-label={say('answer')}
        fullWidth
        orientation="horizontal"
        value={values.answer}
        onChange={(answer) => form.setFieldValue('answer', answer as GuestValues['answer'])}
        data={[...(wasWaiting ? (['waiting'] as const) : []), ...SETTABLE_ANSWERS].map((value) => ({
          value,
          label: say(value),
        }))}
        styles={{ label: { paddingInline: 6, whiteSpace: 'normal', height: '100%' } }}
      />
      {form.errors.answer && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {form.errors.answer}
        </Text>
      )}
      {hasConfirmed(values) && (
        <SimpleGrid cols={2}>
          <NumberInput
            label={say('howManyCome')}
            placeholder={String(values.party_size || 1)}
            {...PEOPLE}
            min={1}
            {...form.getInputProps('coming')}
          />
          <NumberInput label={say('childrenCome')} {...PEOPLE} {...form.getInputProps('coming_children')} />
        </SimpleGrid>
      )}
    </Section>
  );
}

/** Fields of the guest form for the invited people of the party and for tags. */
export function PartySection({ form, eventId }: FieldsProps & { eventId: string }) {
  const say = useWords(words);
  const { data: tags = [] } = useQuery(tagsQuery(eventId));
  const { data: settings } = useQuery(rsvpSettingsQuery(eventId));
  const each = settings?.plus_ones_each ?? undefined;
  return (
    <Section title={say('peopleTitle')}>
      <SimpleGrid cols={{ base: 2, xs: 3 }} verticalSpacing="sm">
        <NumberInput
          label={say('partyLabel')}
          description={say('partyHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...PEOPLE}
          min={1}
          {...form.getInputProps('party_size')}
        />
        <NumberInput label={say('children')} {...PEOPLE} {...form.getInputProps('party_children')} />
        <NumberInput
          label={say('plusOnes')}
          description={each === undefined ? say('plusOnesHint') : say('plusOnesHintEach', { n: each })}
          placeholder={each?.toString()}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...PEOPLE}
          {...form.getInputProps('max_plus_ones')}
        />
      </SimpleGrid>
      <TagsInput
        size="md"
        label={say('tags')}
        maxTags={MOST_TAGS}
        maxLength={50}
        acceptValueOnBlur
        data={tags.map(({ tag }) => tag)}
        limit={8}
        {...form.getInputProps('tags')}
      />
    </Section>
  );
}

/** Fields of the guest form for meals and allergies, shown if the event asks for them or the guest has some. */
export function MealsSection({ form, eventId }: FieldsProps & { eventId: string }) {
  const say = useWords(words);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { data: settings } = useQuery(rsvpSettingsQuery(eventId));
  const meals = settings ? mealsOf(event, settings, form.values) : [];
  if (meals.length === 0 && !settings?.meals && form.values.allergies === '') return null;
  return (
    <Section title={say('meals')}>
      <SimpleGrid cols={2} verticalSpacing="sm">
        {meals.map((meal) => (
          <NumberInput key={meal} label={say(meal)} {...PEOPLE} {...form.getInputProps(meal)} />
        ))}
      </SimpleGrid>
      <Textarea label={say('allergies')} dir="auto" minRows={1} {...form.getInputProps('allergies')} />
    </Section>
  );
}

interface NotesSectionProps extends FieldsProps {
  eventId: string;
  /** True if the guest has left a message for the organizer. */
  hasMessage: boolean;
  seesContacts: boolean;
}

/** Fields of the guest form for notes, language, and a registered participant's company and role. */
export function NotesSection({ form, eventId, hasMessage, seesContacts }: NotesSectionProps) {
  const say = useWords(words);
  const { data: settings } = useQuery(rsvpSettingsQuery(eventId));
  const hasWork = settings?.registration || form.values.company !== '' || form.values.role !== '';
  return (
    <Section title={say('notes')}>
      {seesContacts && (
        <Textarea
          label={say('note')}
          description={say('noteHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          dir="auto"
          minRows={2}
          {...form.getInputProps('note')}
        />
      )}
      {hasMessage && (
        <Textarea label={say('message')} dir="auto" minRows={2} {...form.getInputProps('message')} />
      )}
      <Select
        label={say('language')}
        allowDeselect={false}
        data={[
          { value: '', label: say('languageOfEvent') },
          ...Object.entries(CODE_OF).map(([value, code]) => ({
            value,
            label: LANGUAGES[code].name,
          })),
        ]}
        {...form.getInputProps('language')}
      />
      {hasWork && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={say('company')} dir="auto" {...form.getInputProps('company')} />
          <TextInput label={say('role')} dir="auto" {...form.getInputProps('role')} />
        </SimpleGrid>
      )}
    </Section>
  );
}
