import { Button, NumberInput, Radio, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import type { CountedEvent } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { DayAndTime } from '../../../components/day-and-time.tsx';
import { DayInput } from '../../../components/day-input.tsx';
import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { EditForm } from '../../../components/edit-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { ShareLink } from '../../../components/share-link.tsx';
import { dayOf, todayInIsrael } from '../../../lib/dates.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { isAwaitingReplies } from '../../events/api/events.ts';
import { type ReadRsvpSettings, versionedRsvpSettingsQuery } from '../../guests/api/guests.ts';
import { changeRsvpSettings } from '../api/rsvp-settings.ts';
import { words } from '../words.ts';
import { HebrewDay } from './hebrew-day.tsx';
import { fieldOfRsvpSettings, type RsvpValues, rsvpChangesOf, rsvpValuesOf } from './rsvp-values.ts';

interface AnswersPartProps {
  event: CountedEvent;
  mayEdit: boolean;
}

/** Settings for guests' replies: deadline, plus-ones, and the open link for people who were not invited. */
export function AnswersPart({ event, mayEdit }: AnswersPartProps) {
  const { data: read, error, refetch } = useQuery(versionedRsvpSettingsQuery(event.id));
  if (error && !read) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!read) return <Skeleton height={420} radius="lg" />;
  return (
    <Stack gap="lg">
      {read.settings.open_url && <OpenLink event={event} url={read.settings.open_url} />}
      <Answering event={event} read={read} mayEdit={mayEdit} />
    </Stack>
  );
}

function OpenLink({ event, url }: { event: CountedEvent; url: string }) {
  const say = useWords(words);
  return (
    <Card title={say('openLink')}>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {say(openLinkText(event))}
        </Text>
        <ShareLink label={say('openLink')} url={url} qrLabel={say('openLinkQr')}>
          <Button
            component="a"
            href={`https://wa.me/?text=${encodeURIComponent(`${event.title}\n${url}`)}`}
            target="_blank"
            rel="noreferrer"
            leftSection={<MessageCircle size={18} aria-hidden />}
          >
            {say('whatsapp')}
          </Button>
        </ShareLink>
      </Stack>
    </Card>
  );
}

function openLinkText(event: CountedEvent) {
  if (!isAwaitingReplies(event)) return 'openLinkOver';
  return event.status === 'draft' ? 'openLinkDraft' : 'openLinkAbout';
}

function Answering({ read, ...others }: AnswersPartProps & { read: ReadRsvpSettings }) {
  const say = useWords(words);
  const queries = useQueryClient();
  const { id } = others.event;
  return (
    <EditForm
      read={read}
      query={versionedRsvpSettingsQuery(id)}
      draftKey={`answering-${id}`}
      valuesOf={({ settings }) => rsvpValuesOf(settings)}
      changesOf={rsvpChangesOf}
      send={(body, of) => changeRsvpSettings(queries, id, body, of.etag)}
      label={(name) => say(name)}
      show={(_name, value) => (typeof value === 'boolean' ? say(value ? 'yes' : 'no') : String(value ?? ''))}
    >
      {(form) => <AnsweringForm {...form} {...others} />}
    </EditForm>
  );
}

function AnsweringForm(props: AnswersPartProps & FormState<RsvpValues>) {
  const { event, draftKey, initial, mayEdit, ...state } = props;
  const say = useWords(words);
  const draft = useFormDraft<RsvpValues>(draftKey, initial, (values) => ({
    ...(values.until_date && !values.until_time && { until_time: say('missing') }),
    // The name of an open link can be changed, but not removed.
    ...(values.open && initial.slug && !values.slug.trim() && { slug: say('missing') }),
    ...(values.most_each === '' && { most_each: say('missing') }),
  }));
  const { form } = draft;
  const { open, registration, until_date: until, until_time: untilTime } = form.values;
  return (
    <DraftForm
      {...state}
      draft={draft}
      fieldOf={fieldOfRsvpSettings}
      submit={mayEdit ? say('save') : undefined}
      isLong
      gap="lg"
    >
      <Card title={say('untilWhen')}>
        <Stack gap="sm">
          <Text c="dimmed" size="sm">
            {say('untilWhenAbout')}
          </Text>
          <DayAndTime
            day={
              <>
                <DayInput
                  label={say('until_date')}
                  minDate={until && until < todayInIsrael() ? until : todayInIsrael()}
                  {...(event.event_date && { maxDate: dayOf(event.event_date) })}
                  {...form.getInputProps('until_date')}
                />
                <HebrewDay day={until} time={untilTime} guestsLanguage={event.language_pref} />
              </>
            }
            time={{ label: say('until_time'), ...form.getInputProps('until_time') }}
          />
        </Stack>
      </Card>
      <Card title={say('plusOnes')}>
        <NumberInput
          label={say('plus_ones_each')}
          description={say('plus_ones_eachAbout')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={0}
          max={99}
          allowDecimal={false}
          allowNegative={false}
          maw={{ xs: 320 }}
          {...form.getInputProps('plus_ones_each')}
        />
      </Card>
      <Card title={say('others')}>
        <Stack gap="lg">
          <Switch
            size="md"
            label={say('open')}
            description={say('openAbout')}
            {...form.getInputProps('open', { type: 'checkbox' })}
          />
          {open && (
            <>
              <TextInput
                label={say('slug')}
                description={say('slugAbout')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                placeholder="noa-and-itay"
                dir="ltr"
                autoComplete="off"
                autoCapitalize="none"
                {...form.getInputProps('slug')}
              />
              <Radio.Group
                size="md"
                label={say('registration')}
                value={registration ? 'yes' : 'no'}
                onChange={(value) => form.setFieldValue('registration', value === 'yes')}
              >
                <Stack gap="sm" mt={6}>
                  <Radio size="md" value="no" label={say('asking')} description={say('askingAbout')} />
                  <Radio
                    size="md"
                    value="yes"
                    label={say('registering')}
                    description={say('registeringAbout')}
                  />
                </Stack>
              </Radio.Group>
              <Switch
                size="md"
                label={say('accept_by_itself')}
                description={say('accept_by_itselfAbout')}
                {...form.getInputProps('accept_by_itself', { type: 'checkbox' })}
              />
              <Switch
                size="md"
                label={say('confirm_email')}
                description={say('confirm_emailAbout')}
                checked={form.values.confirm_email ?? form.values.accept_by_itself}
                onChange={({ currentTarget }) => form.setFieldValue('confirm_email', currentTarget.checked)}
              />
              <NumberInput
                label={say('most_each')}
                description={say('most_eachAbout')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                min={1}
                allowDecimal={false}
                allowNegative={false}
                maw={{ xs: 320 }}
                {...form.getInputProps('most_each')}
              />
            </>
          )}
        </Stack>
      </Card>
    </DraftForm>
  );
}
