import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type Ref, useRef } from 'react';
import { type Guest, SimchaError } from 'simcha-client';
import { EditForm } from '../../../components/edit-form.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { dateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { writeStored } from '../../../lib/stored-value.ts';
import { useSeesContacts } from '../../events/api/access.ts';
import { answerOf } from '../api/answer.ts';
import { guestQuery, type ReadGuest, useChangeGuest } from '../api/guests.ts';
import { words } from '../words.ts';
import { AnswerBadge } from './answer-badge.tsx';
import { GuestForm } from './guest-form.tsx';
import { GuestHistory } from './guest-history.tsx';
import { formatGuestValue, GUEST_LABELS } from './guest-labels.ts';
import { GuestLink } from './guest-link.tsx';
import { type GuestValues, guestChangesOf, guestValuesOf } from './guest-values.ts';
import { useNotifyShortage } from './quick-change.ts';

interface GuestDrawerProps {
  eventId: string;
  id: string | undefined;
  mayChange: boolean;
  onClose(): void;
  onRemove(guest: Guest): void;
}

/** Side sheet that shows and edits all details of a guest. */
export function GuestDrawer({ eventId, id, mayChange, onClose, onRemove }: GuestDrawerProps) {
  const say = useWords(words);
  return (
    <SideSheet title={say('details')} opened={id !== undefined} onClose={onClose}>
      {id && <OneGuest key={id} eventId={eventId} id={id} mayChange={mayChange} onRemove={onRemove} />}
    </SideSheet>
  );
}

interface OneGuestProps {
  eventId: string;
  id: string;
  mayChange: boolean;
  onRemove(guest: Guest): void;
}

function OneGuest({ id, ...others }: OneGuestProps) {
  const { eventId } = others;
  const { data: read, error, refetch } = useQuery(guestQuery(eventId, id));
  if (error && !read) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!read) {
    return (
      <Stack gap="lg">
        <Skeleton height={36} width="60%" />
        <Skeleton height={52} />
        <Skeleton height={52} />
        <Skeleton height={160} />
      </Stack>
    );
  }
  return <ReadOneGuest read={read} {...others} />;
}

type ReadGuestProps = Omit<OneGuestProps, 'id'> & { read: ReadGuest };

function ReadOneGuest({ eventId, read, mayChange, onRemove }: ReadGuestProps) {
  const say = useWords(words);
  const { guest } = read;
  const draftKey = `guest-${guest.id}`;
  const seesContacts = useSeesContacts(eventId);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Stack gap="xl">
      <GuestHeading guest={guest} ref={heading} />
      <EditGuest
        eventId={eventId}
        read={read}
        draftKey={draftKey}
        mayChange={mayChange}
        onStored={() => heading.current?.focus()}
      />
      {mayChange && <GuestLink eventId={eventId} id={guest.id} />}
      {seesContacts && <GuestHistory eventId={eventId} id={guest.id} />}
      {mayChange && (
        <Group>
          <Button
            variant="light"
            color="red"
            leftSection={<Trash2 size={18} aria-hidden />}
            onClick={() => {
              writeStored(draftKey, undefined);
              onRemove(guest);
            }}
          >
            {say('removeNamed', { name: guest.name })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Heading of a guest's details: name, reply, and when and how the guest replied. */
function GuestHeading({ guest, ref }: { guest: Guest; ref: Ref<HTMLHeadingElement> }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h3" dir="auto" ref={ref} tabIndex={-1} style={{ outline: 'none' }}>
          {guest.name}
        </Title>
        <div style={{ flex: 'none' }}>
          <AnswerBadge answer={answerOf(guest)} />
        </div>
      </Group>
      <Text c="dimmed" size="sm">
        {guest.waiting_since
          ? say('waitingSince', { when: dateAndTime(guest.waiting_since, language) })
          : guest.answered_at &&
            guest.answered_via &&
            say(`answeredVia_${guest.answered_via}`, { when: dateAndTime(guest.answered_at, language) })}
      </Text>
    </div>
  );
}

interface EditGuestProps {
  eventId: string;
  read: ReadGuest;
  draftKey: string;
  mayChange: boolean;
  onStored(): void;
}

/** Form that edits a guest. If the event is full, a second button saves the guest beyond the limit. */
function EditGuest({ eventId, read, draftKey, mayChange, onStored }: EditGuestProps) {
  const say = useWords(words);
  const notify = useNotify();
  const store = useChangeGuest(eventId);
  const notifyShortage = useNotifyShortage(eventId);
  const isOverLimit = useRef(false);
  const isShort = useRef(false);
  const isFull = (error: unknown) => error instanceof SimchaError && error.code === 'full';
  return (
    <EditForm
      read={read}
      query={guestQuery(eventId, read.guest.id)}
      draftKey={draftKey}
      valuesOf={(of) => guestValuesOf(of.guest)}
      changesOf={(values: GuestValues, before) => ({
        ...guestChangesOf(values, before),
        ...(isOverLimit.current && { over_limit: true }),
      })}
      send={async (body, of) => {
        const saved = await store.mutateAsync({ guest: of.guest, body, etag: of.etag });
        isShort.current = saved.warnings.length > 0;
        notifyShortage(saved, body);
        return saved;
      }}
      label={(name) => say(GUEST_LABELS[name])}
      show={(name, value) => formatGuestValue(name, value, say)}
      onStored={() => {
        if (!isShort.current) notify(say('saved'));
        onStored();
      }}
    >
      {({ tried, ...form }) => {
        const save = (values: GuestValues, overLimit: boolean) => {
          isOverLimit.current = overLimit;
          form.onSubmit(values, '');
        };
        return (
          <>
            <GuestForm
              {...form}
              eventId={eventId}
              submit={mayChange ? say('save') : undefined}
              onSubmit={(values) => save(values, false)}
            />
            {isFull(form.error) && tried && (
              <Button variant="light" loading={form.isPending} onClick={() => save(tried, true)}>
                {say('seatAnyway')}
              </Button>
            )}
          </>
        );
      }}
    </EditForm>
  );
}
