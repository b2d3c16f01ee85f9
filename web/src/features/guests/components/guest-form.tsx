import {
  Fieldset,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGES, textIn } from '../../../lib/languages.ts';
import { eventQuery } from '../../events/api/events.ts';
import { SETTABLE_ANSWERS } from '../api/answer.ts';
import { questionsQuery, rsvpSettingsQuery, tagsQuery } from '../api/guests.ts';
import { words } from '../words.ts';
import { type GuestValues, hasConfirmed, mealsOf } from './guest-values.ts';
import { LARGEST_PARTY } from './party-field.tsx';

const MOST_TAGS = 20;

interface GuestFormProps extends FormState<GuestValues> {
  eventId: string;
  /** Label of the save button; undefined if the form is read-only. */
  submit: string | undefined;
  actions?: React.ReactNode;
  /** True to focus the name. */
  withFocus?: boolean;
}

/** Form for all data of a guest. */
export function GuestForm({ eventId, draftKey, initial, withFocus, ...state }: GuestFormProps) {
  const say = useWords(words);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { data: settings } = useQuery(rsvpSettingsQuery(eventId));
  const { data: tags = [] } = useQuery(tagsQuery(eventId));
  const draft = useFormDraft<GuestValues>(draftKey, initial, ({ name }) =>
    name.trim() ? {} : { name: say('missing') },
  );
  const { form } = draft;
  const { values } = form;

  const meals = settings ? mealsOf(event, settings, values) : [];
  const isAsWorker = settings?.registration || values.company !== '' || values.role !== '';
  const counted = { min: 0, max: LARGEST_PARTY, allowDecimal: false, allowNegative: false } as const;
  return (
    <DraftForm
      {...state}
      draft={draft}
      fieldOf={(field) => (field === 'rsvp_status' ? 'answer' : field)}
      isLong
      gap="lg"
    >
      <TextInput
        label={say('name')}
        dir="auto"
        required
        autoComplete="off"
        {...(withFocus && { 'data-autofocus': true, autoFocus: true })}
        {...form.getInputProps('name')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={say('phone')}
          type="tel"
          dir="ltr"
          autoComplete="off"
          {...form.getInputProps('phone')}
        />
        <TextInput
          label={say('email')}
          type="email"
          dir="ltr"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
      </SimpleGrid>
      <Section title={say('answer')}>
        <SegmentedControl
          aria-label={say('answer')}
          fullWidth
          orientation="horizontal"
          value={values.answer}
          onChange={(answer) => form.setFieldValue('answer', answer as GuestValues['answer'])}
          data={[...(initial.answer === 'waiting' ? (['waiting'] as const) : []), ...SETTABLE_ANSWERS].map(
            (value) => ({ value, label: say(value) }),
          )}
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
              {...counted}
              min={1}
              {...form.getInputProps('coming')}
            />
            <NumberInput
              label={say('childrenCome')}
              {...counted}
              {...form.getInputProps('coming_children')}
            />
          </SimpleGrid>
        )}
      </Section>
      <Section title={say('peopleTitle')}>
        <SimpleGrid cols={{ base: 2, xs: 3 }} verticalSpacing="sm">
          <NumberInput
            label={say('partyLabel')}
            description={say('partyHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...counted}
            min={1}
            {...form.getInputProps('party_size')}
          />
          <NumberInput label={say('children')} {...counted} {...form.getInputProps('party_children')} />
          <NumberInput
            label={say('plusOnes')}
            description={say('plusOnesHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...counted}
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
      {(meals.length > 0 || settings?.meals || values.allergies !== '') && (
        <Section title={say('meals')}>
          <SimpleGrid cols={2} verticalSpacing="sm">
            {meals.map((meal) => (
              <NumberInput key={meal} label={say(meal)} {...counted} {...form.getInputProps(meal)} />
            ))}
          </SimpleGrid>
          <Textarea label={say('allergies')} dir="auto" minRows={1} {...form.getInputProps('allergies')} />
        </Section>
      )}
      <Questions
        eventId={eventId}
        values={values.answers}
        onChange={(answers) => form.setFieldValue('answers', answers)}
      />
      <Section title={say('notes')}>
        <Textarea
          label={say('note')}
          description={say('noteHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          dir="auto"
          minRows={2}
          {...form.getInputProps('note')}
        />
        {initial.message !== '' && (
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
        {isAsWorker && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label={say('company')} dir="auto" {...form.getInputProps('company')} />
            <TextInput label={say('role')} dir="auto" {...form.getInputProps('role')} />
          </SimpleGrid>
        )}
      </Section>
    </DraftForm>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Fieldset
      variant="unstyled"
      legend={title}
      styles={{ legend: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)', marginBottom: 8 } }}
    >
      <Stack gap="md">{children}</Stack>
    </Fieldset>
  );
}

interface QuestionsProps {
  eventId: string;
  values: GuestValues['answers'];
  onChange(values: GuestValues['answers']): void;
}

/** Questions of the event, including former ones that this guest answered. */
function Questions({ eventId, values, onChange }: QuestionsProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: questions = [] } = useQuery(questionsQuery(eventId));
  const shown = questions.filter(({ id, asked }) => asked || values[id] !== undefined);
  if (shown.length === 0) return null;
  return (
    <Section title={say('questions')}>
      {shown.map(({ id, kind, text, most, asked, options }) => {
        const change = (value: number | string | null) => onChange({ ...values, [id]: value ?? '' });
        const common = {
          label: textIn(text, language),
          description: asked ? undefined : say('notAsked'),
        };
        const value = values[id] ?? '';
        if (kind === 'choice') {
          return (
            <Select
              key={id}
              {...common}
              clearable
              placeholder={say('noAnswer')}
              data={options.flatMap((option) =>
                option.id ? { value: option.id, label: textIn(option.text, language) } : [],
              )}
              value={value === '' ? null : String(value)}
              onChange={change}
            />
          );
        }
        if (kind === 'number') {
          return (
            <NumberInput
              key={id}
              {...common}
              min={0}
              max={most ?? undefined}
              allowDecimal={false}
              allowNegative={false}
              value={value}
              onChange={change}
            />
          );
        }
        return (
          <Textarea
            key={id}
            {...common}
            dir="auto"
            minRows={1}
            value={value}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
        );
      })}
    </Section>
  );
}
