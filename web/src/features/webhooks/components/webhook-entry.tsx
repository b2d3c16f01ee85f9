import { Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { type Tone, ToneBadge } from '../../../components/tone-badge.tsx';
import { dateAndTime, joinTexts } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { subjectsQuery } from '../../tokens/api/tokens.ts';
import { useDeleteWebhook, useRotateSecret, useTestWebhook, useUpdateWebhook } from '../api/webhooks.ts';
import { words } from '../words.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

type Part = 'log' | 'form' | 'more';

/** A webhook: its state and what it receives, a test, its log, and its settings. */
export function WebhookEntry({ webhook }: { webhook: Webhook }) {
  const say = useWords(words);
  const [part, setPart] = useState<Part>();
  const { id, url, description, enabled } = webhook;
  const update = useUpdateWebhook(id);
  const toggle = (one: Part) => setPart(part === one ? undefined : one);
  const partButton = (one: Part) => (
    <Button variant="default" size="sm" aria-expanded={part === one} onClick={() => toggle(one)}>
      {say(one)}
    </Button>
  );
  return (
    <Card>
      <Stack gap="md">
        <Group gap="sm" justify="space-between" align="flex-start" wrap="nowrap">
          <div style={{ minWidth: 0 }}>
            <Title order={2} size="h5" fw={500} style={{ overflowWrap: 'anywhere' }}>
              <bdi dir="ltr">{url}</bdi>
            </Title>
            {description && <Text>{description}</Text>}
          </div>
          <WebhookState webhook={webhook} />
        </Group>
        <WebhookFacts webhook={webhook} />
        <Switch
          label={say('enabled')}
          checked={enabled}
          onChange={({ currentTarget }) => update.mutate({ enabled: currentTarget.checked })}
        />
        <ProblemNote error={part === 'form' ? null : update.error} />
        <TestButton webhook={id} />
        <Group gap="xs">
          {partButton('log')}
          {partButton('form')}
          {partButton('more')}
        </Group>
        {part === 'log' && <DeliveryLog webhook={id} isOn={enabled} />}
        {part === 'form' && (
          <WebhookForm
            initial={webhook}
            exists
            error={update.error}
            isPending={update.isPending}
            sendLabel={say('save')}
            onSend={(fields) => update.mutate(fields, { onSuccess: () => setPart(undefined) })}
            onCancel={() => setPart(undefined)}
          />
        )}
        {part === 'more' && <More webhook={webhook} />}
      </Stack>
    </Card>
  );
}

function WebhookState({ webhook: { enabled, disabled_reason, failing_since } }: { webhook: Webhook }) {
  const say = useWords(words);
  const [tone, word]: [Tone, 'off' | 'failing' | 'on'] = enabled
    ? failing_since
      ? ['wait', 'failing']
      : ['good', 'on']
    : [disabled_reason ? 'bad' : 'quiet', 'off'];
  return <ToneBadge tone={tone}>{say(word)}</ToneBadge>;
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: subjects = [] } = useQuery(subjectsQuery);
  const { kinds, application_id, event_id, disabled_reason, failing_since, previous_secret_until } = webhook;
  const subjectId = event_id ?? application_id;
  const name = subjects.find(({ id }) => id === subjectId)?.name ?? say('anotherSubject');
  const when = (iso: string) => dateAndTime(iso, language);
  const facts = [
    joinTexts(
      kinds.map((kind) => say(kind)),
      language,
    ),
    ...(subjectId ? [say('onlyFor', { name })] : []),
    ...(failing_since ? [say('failingSince', { when: when(failing_since) })] : []),
    ...(previous_secret_until ? [say('bothSecrets', { when: when(previous_secret_until) })] : []),
  ];
  return (
    <div>
      <Text size="sm" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {disabled_reason && <Text size="sm">{say(disabled_reason === 'gone' ? 'gone' : 'failingOff')}</Text>}
    </div>
  );
}

function TestButton({ webhook }: { webhook: string }) {
  const say = useWords(words);
  const test = useTestWebhook(webhook);
  const { data } = test;
  const result =
    data &&
    (data.state === 'succeeded'
      ? say('testWorked', { status: String(data.status), ms: data.duration_ms ?? 0 })
      : say('testFailed', {
          why:
            data.status === null
              ? say(data.problem ?? 'connection')
              : say('answered', { status: String(data.status) }),
        }));
  return (
    <Stack gap="xs" align="flex-start">
      <ProblemNote error={test.error} />
      <Button variant="light" loading={test.isPending} onClick={() => test.mutate()}>
        {say('test')}
      </Button>
      <div role="status">{result && <Text size="sm">{result}</Text>}</div>
    </Stack>
  );
}

function More({ webhook: { id } }: { webhook: Webhook }) {
  const say = useWords(words);
  const notify = useNotify();
  const rotate = useRotateSecret(id);
  const remove = useDeleteWebhook(id);
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <ShownSecret secret={secret} onDone={() => setSecret(undefined)} />;
  return (
    <Stack gap="md">
      <ConfirmButton
        label={say('rotate')}
        keep={say('keep')}
        about={say('rotateAbout')}
        error={rotate.error}
        isPending={rotate.isPending}
        onConfirm={() => rotate.mutate(undefined, { onSuccess: setSecret })}
      />
      <ConfirmButton
        label={say('remove')}
        keep={say('keep')}
        about={say('removeAbout')}
        error={remove.error}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => notify(say('removed')) })}
      />
    </Stack>
  );
}
