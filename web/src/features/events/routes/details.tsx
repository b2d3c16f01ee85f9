import { Stack, Text } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SimchaError } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { Merge } from '../../../components/merge.tsx';
import { useTell } from '../../../components/tell.ts';
import { TwoPresses } from '../../../components/two-presses.tsx';
import { writeKept } from '../../../lib/kept.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { useAccess } from '../api/access.ts';
import { eventQuery, type ReadEvent, useChangeEvent, useDeleteEvent } from '../api/events.ts';
import { EventForm } from '../components/event-form.tsx';
import { changesOf, type EventValues, emptiedFields, valuesOf } from '../components/form-values.ts';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId');

export function Details() {
  const say = useWords(words);
  const tell = useTell();
  const { eventId } = route.useParams();
  const { data: read } = useSuspenseQuery(eventQuery(eventId));
  // What the form was made of: what comes in meanwhile from elsewhere does not change what one is typing over.
  const [base, setBase] = useState(read);
  const [typed, setTyped] = useState<EventValues>();
  const queries = useQueryClient();
  const change = useChangeEvent(eventId);
  const keptAs = `event-${eventId}`;
  const before = valuesOf(base.event);

  const save = (values: EventValues, of: ReadEvent = base) => {
    const body = changesOf(values, valuesOf(of.event));
    if (Object.keys(body).length === 0) {
      writeKept(keptAs, undefined);
      tell(say('nothingChanged'));
      return;
    }
    change.mutate(
      { body, etag: of.etag },
      {
        onSuccess({ event, etag }) {
          writeKept(keptAs, undefined);
          setTyped(undefined);
          setBase({ event, etag });
          tell(say('saved'));
        },
        onError(error) {
          if (!(error instanceof SimchaError) || error.status !== 412) return;
          setTyped(values);
          queries.invalidateQueries({ queryKey: eventQuery(eventId).queryKey }).catch(() => {});
        },
      },
    );
  };
  const access = useAccess(eventId);
  const isClosed = base.event.status === 'cancelled' || access === 'view';
  return (
    <Stack gap="lg">
      <Card title={say('details')}>
        {isClosed && <Text c="dimmed">{say(access === 'view' ? 'onlyLook' : 'cancelledAbout')}</Text>}
        {typed && read.etag !== base.etag ? (
          <Merge
            before={before}
            typed={typed}
            stored={valuesOf(read.event)}
            isPending={change.isPending}
            label={(name) => say(LABELS[name])}
            show={(_name, value) => String(value ?? '')}
            onChosen={(values) => save(values, read)}
          />
        ) : (
          !isClosed && (
            <EventForm
              key={base.etag}
              keptAs={keptAs}
              initial={before}
              submit={say('save')}
              isPending={change.isPending}
              error={change.error}
              judge={(values) =>
                Object.fromEntries(emptiedFields(values, before).map((name) => [name, say('cannotEmpty')]))
              }
              onSubmit={(values) => save(values)}
            />
          )
        )}
      </Card>
      {access === 'owner' && <Remove id={eventId} />}
    </Stack>
  );
}

const LABELS = {
  title: 'name',
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
  const tell = useTell();
  const remove = useDeleteEvent(id);
  const navigate = useNavigate();
  const submit = () =>
    remove.mutate(undefined, {
      onSuccess() {
        tell(say('deletedNow'));
        navigate({ to: '/events', replace: true }).catch(() => {});
      },
    });
  return (
    <Card title={say('remove')}>
      <Stack gap="sm">
        <Text c="dimmed">{say('removeAbout')}</Text>
        <TwoPresses
          label={say('remove')}
          keep={say('keep')}
          error={remove.error}
          isPending={remove.isPending}
          onSure={submit}
        />
      </Stack>
    </Card>
  );
}
