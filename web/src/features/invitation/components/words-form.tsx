import { Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import type { CountedEvent } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { DayAndTime } from '../../../components/day-and-time.tsx';
import { DayInput } from '../../../components/day-input.tsx';
import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { focusOn, useFormDraft } from '../../../components/form-draft.ts';
import { LanguageTabs } from '../../../components/language-tabs.tsx';
import { dayOf } from '../../../lib/dates.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, type LanguageName } from '../../../lib/languages.ts';
import { words } from '../words.ts';
import { HebrewDay } from './hebrew-day.tsx';
import {
  fieldOfInvitation,
  type InvitationValues,
  TRANSLATED,
  TRANSLATED_FIELDS,
  translatedField,
} from './invitation-values.ts';

interface WordsFormProps extends FormState<InvitationValues> {
  event: CountedEvent;
  language: LanguageName;
  onLanguage(language: LanguageName): void;
  mayEdit: boolean;
}

/** Form for the texts of the invitation and further details for guests. */
export function WordsForm(props: WordsFormProps) {
  const { event, draftKey, initial, language, onLanguage, mayEdit, ...state } = props;
  const say = useWords(words);
  const draft = useFormDraft<InvitationValues>(draftKey, initial, (values) => ({
    ...(!values.end_date && values.end_time && { end_date: say('missing') }),
    ...(values.end_date && !values.end_time && { end_time: say('missing') }),
  }));
  const { form } = draft;
  useFocusOnError(form, state.error, language, onLanguage);
  const { end_date: end, end_time: endTime } = form.values;
  return (
    <DraftForm
      {...state}
      draft={draft}
      fieldOf={(field) => fieldOfInvitation(field, language)}
      submit={mayEdit ? say('save') : undefined}
      isLong
      gap="lg"
    >
      <Card title={say('inWords')}>
        <Stack gap="sm">
          <Text c="dimmed" size="sm">
            {say('inWordsAbout')}
          </Text>
          <LanguageTabs
            label={say('languageOfPage')}
            open={language}
            onOpen={onLanguage}
            isWritten={(name) =>
              TRANSLATED.some((what) => form.values[translatedField(what, name)].trim() !== '')
            }
          >
            {(name) => <TextsInLanguage form={form} event={event} language={name} />}
          </LanguageTabs>
        </Stack>
      </Card>
      <Card title={say('whomToAsk')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={say('contact_phone')}
            type="tel"
            dir="ltr"
            autoComplete="off"
            {...form.getInputProps('contact_phone')}
          />
          <TextInput
            label={say('contact_email')}
            description={say('contact_emailAbout')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            type="email"
            dir="ltr"
            autoComplete="off"
            {...form.getInputProps('contact_email')}
          />
        </SimpleGrid>
      </Card>
      <Card title={say('whereAndWhen')}>
        <Stack gap="md">
          <DayAndTime
            day={
              <>
                <DayInput
                  label={say('end_date')}
                  {...(event.event_date && { minDate: dayOf(event.event_date) })}
                  {...form.getInputProps('end_date')}
                />
                <HebrewDay day={end} time={endTime} guestsLanguage={event.language_pref} />
              </>
            }
            time={{ label: say('end_time'), ...form.getInputProps('end_time') }}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Whether form={form} name="map" />
            <TextInput
              label={say('coordinates')}
              description={say('coordinatesAbout')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder="32.1741, 34.9012"
              dir="ltr"
              autoComplete="off"
              {...form.getInputProps('coordinates')}
            />
            <Whether form={form} name="hebrew_date" />
            <TextInput
              label={say('online_url')}
              description={say('online_urlAbout')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="url"
              dir="ltr"
              autoComplete="off"
              {...form.getInputProps('online_url')}
            />
          </SimpleGrid>
        </Stack>
      </Card>
    </DraftForm>
  );
}

/** Form field with the options yes, no, and the default. */
function Whether({ form, name }: { form: UseFormReturnType<InvitationValues>; name: 'map' | 'hebrew_date' }) {
  const say = useWords(words);
  return (
    <Select
      label={say(name)}
      allowDeselect={false}
      data={(['', 'yes', 'no'] as const).map((value) => ({
        value,
        label: say(`${name}_${value || 'auto'}`),
      }))}
      {...form.getInputProps(name)}
    />
  );
}

interface TextsInLanguageProps {
  form: UseFormReturnType<InvitationValues>;
  event: CountedEvent;
  language: LanguageName;
}

/** Fields for the invitation's texts in one language. A placeholder shows the event's own value, used if empty. */
function TextsInLanguage({ form, event, language }: TextsInLanguageProps) {
  const say = useWords(words);
  const common = (name: (typeof TRANSLATED)[number]) => ({
    label: say(name),
    dir: 'auto' as const,
    lang: CODE_OF[language],
    ...form.getInputProps(translatedField(name, language)),
  });
  return (
    <Stack gap="md">
      <TextInput {...common('hosts')} placeholder={say('hostsHint')} />
      <TextInput {...common('title')} placeholder={event.title} />
      <Textarea {...common('words')} placeholder={event.description ?? ''} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput {...common('venue_name')} placeholder={event.venue_name} />
        <TextInput {...common('venue_address')} placeholder={event.venue_address ?? ''} />
        <TextInput {...common('contact_name')} />
        <TextInput {...common('picture_alt')} />
      </SimpleGrid>
    </Stack>
  );
}

/** If the server refuses a text of the invitation, opens the tab of its language and focuses its field. */
function useFocusOnError(
  form: UseFormReturnType<InvitationValues>,
  error: unknown,
  open: LanguageName,
  onLanguage: (language: LanguageName) => void,
) {
  const fieldToFocus = useRef<string>(undefined);
  const wrong = TRANSLATED_FIELDS.find(([field]) => form.errors[field] !== undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!wrong || wrong[2] === open) return;
    fieldToFocus.current = wrong[0];
    onLanguage(wrong[2]);
  }, [error, wrong?.[0]]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the language is open
  useEffect(() => {
    focusOn(form, fieldToFocus.current);
    fieldToFocus.current = undefined;
  }, [open]);
}
