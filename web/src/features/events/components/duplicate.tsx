import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CopyPlus } from 'lucide-react';
import type { CountedEvent } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { DayAndTime } from '../../../components/day-and-time.tsx';
import { DayField } from '../../../components/day-field.tsx';
import { DraftForm } from '../../../components/draft-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { useNotifySentence } from '../../../components/notify.ts';
import { timeOfDay, wallTimeOf } from '../../../lib/dates.ts';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { writeStored } from '../../../lib/stored-value.ts';
import { typedTime } from '../../../lib/time-of-day.ts';
import { useDuplicateEvent } from '../api/events.ts';
import { words } from '../words.ts';

interface DuplicateProps {
  event: CountedEvent;
  isOpen: boolean;
  onOpen(isOpen: boolean): void;
}

/** Card with the form that duplicates an event as a draft on another day. */
export function Duplicate({ event, isOpen, onOpen }: DuplicateProps) {
  const say = useWords(words);
  return (
    <Card title={say('duplicate')}>
      <Stack gap="md">
        <Text c="dimmed">{say('duplicateAbout')}</Text>
        {isOpen ? (
          <CopyForm event={event} onLeave={() => onOpen(false)} />
        ) : (
          <Group>
            <Button
              variant="default"
              leftSection={<CopyPlus size={18} aria-hidden />}
              onClick={() => onOpen(true)}
            >
              {say('duplicate')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}

/**
 * Values of the form that duplicates an event. Their names differ from the names in the event's form on the same page.
 */
type CopyValues = {
  copy_title: string;
  copy_date: string | null;
  copy_time: string;
  guests: boolean;
  progress: boolean;
};

const FIELDS: Readonly<Record<string, keyof CopyValues>> = { title: 'copy_title', event_date: 'copy_date' };

function CopyForm({ event, onLeave }: { event: CountedEvent; onLeave(): void }) {
  const say = useWords(words);
  const notify = useNotifySentence();
  const navigate = useNavigate();
  const duplicate = useDuplicateEvent(event.id);
  const keyOf = useIdempotencyKey();
  const draftKey = `copy-${event.id}`;
  const initial: CopyValues = {
    copy_title: event.title,
    copy_date: null,
    copy_time: event.event_date ? timeOfDay(event.event_date, 'en') : '19:30',
    guests: false,
    progress: false,
  };
  const draft = useFormDraft<CopyValues>(draftKey, initial, (values) => ({
    ...(!values.copy_title.trim() && { copy_title: say('missing') }),
    ...(!values.copy_date && { copy_date: say('missing') }),
    ...(!typedTime(values.copy_time) && { copy_time: say('missing') }),
  }));
  const submit = ({ copy_title: title, copy_date: date, copy_time: time, guests, progress }: CopyValues) => {
    const event_date = wallTimeOf({ date, time }) ?? null;
    const body = { title: title.trim(), event_date, guests, progress };
    duplicate.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess({ event: copy, copied, left_out: leftOut }) {
          writeStored(draftKey, undefined);
          const ready = say('duplicated', { n: copied.guests ?? 0 });
          notify(leftOut.length > 0 ? `${ready} ${say('duplicatedLess')}` : ready);
          navigate({ to: '/events/$eventId', params: { eventId: copy.id } }).catch(() => {});
        },
      },
    );
  };
  const leave = () => {
    writeStored(draftKey, undefined);
    onLeave();
  };
  const { form } = draft;
  const { copy_date: date, copy_time: time } = form.values;
  return (
    <DraftForm
      draft={draft}
      fieldOf={(field) => FIELDS[field] ?? field}
      submit={say('duplicateNow')}
      actions={
        <Button variant="default" onClick={leave}>
          {say('leave')}
        </Button>
      }
      isPending={duplicate.isPending}
      error={duplicate.error}
      onSubmit={submit}
    >
      <TextInput label={say('name')} dir="auto" required autoFocus {...form.getInputProps('copy_title')} />
      <DayAndTime
        day={
          <DayField
            data-path="copy_date"
            value={date}
            time={time}
            guestsLanguage={event.language_pref}
            error={form.errors.copy_date}
            onChange={(day) => form.setFieldValue('copy_date', day)}
          />
        }
        time={{ required: true, ...form.getInputProps('copy_time') }}
      />
      <Checkbox
        size="md"
        label={say('copyGuests')}
        description={say('copyGuestsAbout')}
        {...form.getInputProps('guests', { type: 'checkbox' })}
      />
      <Checkbox
        size="md"
        label={say('copyProgress')}
        description={say('copyProgressAbout')}
        {...form.getInputProps('progress', { type: 'checkbox' })}
      />
    </DraftForm>
  );
}
