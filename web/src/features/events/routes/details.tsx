import { Button, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { EditForm } from '../../../components/edit-form.tsx';
import { useNotify } from '../../../components/notify.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useAccess } from '../api/access.ts';
import {
  eventQuery,
  type ReadEvent,
  useChangeEvent,
  useDeleteEvent,
  useRestoreEvent,
} from '../api/events.ts';
import { type EventMove, hasMoved } from '../api/move.ts';
import { AfterMove } from '../components/after-move.tsx';
import { Duplicate } from '../components/duplicate.tsx';
import { EventForm } from '../components/event-form.tsx';
import { type EventValues, emptiedFields, eventChangesOf, eventValuesOf } from '../components/form-values.ts';
import { RetentionCard } from '../components/retention.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/details');

export function Details() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const { duplicate } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: read } = useSuspenseQuery(eventQuery(eventId));
  const store = useChangeEvent(eventId);
  const access = useAccess(eventId);
  const [move, setMove] = useState<EventMove>();
  const isClosed = read.event.status === 'cancelled' || access === 'view';
  return (
    <Stack gap="lg">
      <Card title={say('details')}>
        {isClosed && <Text c="dimmed">{say(access === 'view' ? 'onlyLook' : 'cancelledAbout')}</Text>}
        <EditForm
          read={read}
          query={eventQuery(eventId)}
          draftKey={`event-${eventId}`}
          valuesOf={({ event }) => eventValuesOf(event)}
          changesOf={eventChangesOf}
          send={async (body, of): Promise<ReadEvent> => {
            const { event, etag } = await store.mutateAsync({ body, etag: of.etag });
            const change = { from: of.event, to: event };
            setMove(hasMoved(change) ? change : undefined);
            return { event, etag };
          }}
          label={(name) => say(LABELS[name])}
          show={(_name, value) => String(value ?? '')}
        >
          {(form) =>
            !isClosed && (
              <EventForm
                {...form}
                submit={say('save')}
                validateMore={(values) =>
                  Object.fromEntries(
                    emptiedFields(values, form.initial).map((name) => [name, say('cannotEmpty')]),
                  )
                }
              />
            )
          }
        </EditForm>
      </Card>
      {move && <AfterMove move={move} onClose={() => setMove(undefined)} />}
      {access === 'owner' && (
        <Duplicate
          event={read.event}
          isOpen={duplicate === true}
          onOpen={(isOpen) =>
            navigate({
              search: { duplicate: isOpen || undefined },
              replace: true,
              resetScroll: false,
            }).catch(() => {})
          }
        />
      )}
      <RetentionCard eventId={eventId} isOwner={access === 'owner'} />
      {access === 'owner' && <Remove id={eventId} />}
    </Stack>
  );
}

const LABELS = {
  title: 'name',
  kind: 'kind',
  plus_ones_each: 'plus_ones_each',
  date: 'date',
  time: 'time',
  venue_name: 'venue',
  venue_address: 'address',
  max_guests: 'guests',
  kashrut_level: 'kashrut',
  language_pref: 'language',
  description: 'description',
  venue_capacity: 'capacity',
  max_plus_ones_buffer: 'buffer',
  noise_curfew_time: 'curfew',
  budget: 'budget',
  retention_policy_days: 'retention',
} as const satisfies Record<keyof EventValues, keyof typeof words>;

function Remove({ id }: { id: string }) {
  const say = useWords(words);
  const notify = useNotify();
  const notifyWithUndo = useNotifyWithUndo();
  const remove = useDeleteEvent();
  const restore = useRestoreEvent();
  const navigate = useNavigate();
  // The notification with the Undo button stays after the user left this page. React Query does not call the callbacks
  // of `mutate` for a removed page, so the promise of `mutateAsync` is used.
  const bringBack = (key: string) =>
    restore.mutateAsync({ id, key }).then(() => {
      notify(say('restoredNow'));
      navigate({ to: '/events/$eventId', params: { eventId: id } }).catch(() => {});
    });
  const submit = () =>
    remove.mutate(id, {
      onSuccess() {
        const key = crypto.randomUUID();
        notifyWithUndo(say('deletedNow'), () => bringBack(key));
        navigate({ to: '/events', replace: true }).catch(() => {});
      },
    });
  return (
    <Card title={say('remove')}>
      <Stack gap="sm" align="flex-start">
        <Text c="dimmed">{say('removeAbout')}</Text>
        <ProblemNote error={remove.error} />
        <Button variant="light" color="red" loading={remove.isPending} onClick={submit}>
          {say('remove')}
        </Button>
      </Stack>
    </Card>
  );
}
