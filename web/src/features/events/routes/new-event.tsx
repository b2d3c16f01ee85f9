import { Container, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { useNotifyWithAction } from '../../../components/notify-with-action.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { useStoredIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { writeStored } from '../../../lib/stored-value.ts';
import { useCreateEvent } from '../api/events.ts';
import { EventForm } from '../components/event-form.tsx';
import { type EventValues, emptyEventOf, newEventOf, newSettingsOf } from '../components/form-values.ts';
import { words } from '../words.ts';

const STORAGE_KEY = 'new-event';

export function NewEvent() {
  const say = useWords(words);
  const { language } = useLanguage();
  const [initial] = useState(() => emptyEventOf(language));
  const create = useCreateEvent();
  const navigate = useNavigate();
  const offer = useNotifyWithAction();
  const { keyOf, forget } = useStoredIdempotencyKey(STORAGE_KEY);
  const submit = (values: EventValues) => {
    create.mutate(
      { body: newEventOf(values), settings: newSettingsOf(values), key: keyOf(values) },
      {
        onSuccess({ event, settingsError }) {
          writeStored(STORAGE_KEY, undefined);
          forget();
          navigate({ to: '/events/$eventId', params: { eventId: event.id }, replace: true }).catch(() => {});
          if (settingsError)
            offer({
              message: say('settingsNotSaved'),
              action: say('toSettings'),
              act: () =>
                navigate({
                  to: '/events/$eventId/invitation',
                  params: { eventId: event.id },
                  search: { part: 'answers' },
                }),
            });
        },
      },
    );
  };
  return (
    <Container size="sm" p={0}>
      <Stack gap="lg">
        <PageHead title={say('newTitle')} about={say('newAbout')} />
        <Card>
          <EventForm
            draftKey={STORAGE_KEY}
            initial={initial}
            submit={say('createIt')}
            isNew
            isPending={create.isPending}
            error={create.error}
            onSubmit={submit}
          />
        </Card>
      </Stack>
    </Container>
  );
}
