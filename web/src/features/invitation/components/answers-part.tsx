import { Button, NumberInput, Radio, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import type { CountedEvent } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { DayAndTime } from '../../../components/day-and-time.tsx';
import { DayInput } from '../../../components/day-input.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { MergeConflict } from '../../../components/merge-conflict.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useSaveWithMerge } from '../../../components/save-with-merge.ts';
import { ShareLink } from '../../../components/share-link.tsx';
import { dayOf, today } from '../../../lib/dates.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { isAwaitingReplies } from '../../events/api/events.ts';
import { type ReadRsvpSettings, versionedRsvpSettingsQuery } from '../../guests/api/guests.ts';
import { changeRsvpSettings } from '../api/rsvp-settings.ts';
import { words } from '../words.ts';
import { FormFrame } from './form-frame.tsx';
import { HebrewDay } from './hebrew-day.tsx';
import { fieldOfRsvpSettings, type RsvpValues, rsvpChangesOf, rsvpValuesOf } from './rsvp-values.ts';

interface AnswersPartProps {
  event: CountedEvent;
  mayEdit: boolean;
}

/** Settings for replies: the deadline, and the open link for people who were not invited. */
export function AnswersPart({ event, mayEdit }: AnswersPartProps) {
  const { data: read, error, refetch } = useQuery(versionedRsvpSettingsQuery(event.id));
  if (error && !read) return <ProblemNote error={error} again={() => refetch()} />;
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
          {say(saidOfOpenLink(event))}
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

function saidOfOpenLink(event: CountedEvent) {
  if (!isAwaitingReplies(event)) return 'openLinkOver';
  return event.status === 'draft' ? 'openLinkDraft' : 'openLinkAbout';
}

function Answering({ event, read, mayEdit }: AnswersPartProps & { read: ReadRsvpSettings }) {
  const say = useWords(words);
  const notify = useNotify();
  const queries = useQueryClient();
  const draftKey = `answering-${event.id}`;
  const change = useSaveWithMerge({
    read,
    draftKey,
    valuesOf: ({ settings }) => rsvpValuesOf(settings),
    readAgain: () => queries.fetchQuery({ ...versionedRsvpSettingsQuery(event.id), staleTime: 0 }),
    changesOf: rsvpChangesOf,
    send: (body, of) => changeRsvpSettings(queries, event.id, body, of.etag),
    onStored: (isOther) => notify(say(isOther ? 'saved' : 'nothingChanged')),
  });
  if (change.conflict) {
    return (
      <MergeConflict
        {...change.conflict}
        isPending={change.isPending}
        label={(name) => say(name)}
        show={(_name, value) =>
          typeof value === 'boolean' ? say(value ? 'yes' : 'no') : String(value ?? '')
        }
        onChosen={change.choose}
      />
    );
  }
  return (
    <AnsweringForm
      key={change.base.etag}
      event={event}
      draftKey={draftKey}
      initial={change.before}
      mayEdit={mayEdit}
      isPending={change.isPending}
      error={change.error}
      onSubmit={change.save}
    />
  );
}

interface AnsweringFormProps extends AnswersPartProps {
  draftKey: string;
  initial: RsvpValues;
  isPending: boolean;
  error: unknown;
  onSubmit(values: RsvpValues): void;
}

function AnsweringForm(props: AnsweringFormProps) {
  const { event, draftKey, initial, mayEdit, isPending, error, onSubmit } = props;
  const say = useWords(words);
  const { form, wasRestored, startOver } = useFormDraft<RsvpValues>(draftKey, initial, (values) => ({
    ...(values.until_date && !values.until_time && { until_time: say('missing') }),
    // A link that has a name can't lose it.
    ...(values.open && initial.slug && !values.slug.trim() && { slug: say('missing') }),
    ...(values.most_each === '' && { most_each: say('missing') }),
  }));
  const problem = useFieldProblem(form, error, fieldOfRsvpSettings);
  const { open, registration, until_date: until, until_time: untilTime } = form.values;
  return (
    <FormFrame
      onSubmit={form.onSubmit(onSubmit, (errors) => focusOn(form, Object.keys(errors)[0]))}
      mayEdit={mayEdit}
      onStartOver={wasRestored ? startOver : undefined}
      problem={problem}
      isPending={isPending}
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
                  minDate={until && until < today() ? until : today()}
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
    </FormFrame>
  );
}
