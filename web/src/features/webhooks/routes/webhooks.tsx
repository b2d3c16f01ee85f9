import { Button, Container, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ShownWebhook, Webhook } from 'simcha-client';
import { BackLink } from '../../../components/back-link.tsx';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { SITE_KINDS, useCreateWebhook, webhooksQuery } from '../api/webhooks.ts';
import { ShownSecret } from '../components/shown-secret.tsx';
import { WebhookEntry } from '../components/webhook-entry.tsx';
import { WebhookForm } from '../components/webhook-form.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/settings/webhooks');

type Shown = 'list' | 'form' | ShownWebhook;

/** Page with the user's webhooks: adding one, whose secret is shown once, trying it, and its log. */
export function Webhooks() {
  const say = useWords(words);
  const { application } = route.useSearch();
  const [shown, setShown] = useState<Shown>('list');
  const create = useCreateWebhook();
  const { data: all, error, refetch } = useQuery(webhooksQuery);
  const webhooks = all?.filter((one) => application === undefined || concerns(one, application));
  return (
    <Container size="sm" p={0}>
      <Stack gap="lg">
        <BackLink to="/settings">{say('settings')}</BackLink>
        <PageHead title={say('title')} about={say('about')}>
          {shown === 'list' && (
            <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setShown('form')}>
              {say('newWebhook')}
            </Button>
          )}
        </PageHead>
        {shown === 'form' && (
          <Card title={say('newWebhook')}>
            <WebhookForm
              initial={{ url: '', kinds: [], application_id: application ?? null }}
              exists={false}
              error={create.error}
              isPending={create.isPending}
              sendLabel={say('create')}
              onSend={(fields, restriction) =>
                create.mutate({ ...fields, ...restriction }, { onSuccess: setShown })
              }
              onCancel={() => setShown('list')}
            />
          </Card>
        )}
        {typeof shown === 'object' && (
          <Card title={say('created')}>
            <ShownSecret secret={shown.secret} onDone={() => setShown('list')} />
          </Card>
        )}
        <ProblemNote error={error} onRetry={() => refetch()} />
        {!webhooks && !error && <Skeleton height={160} />}
        {webhooks?.length === 0 && shown === 'list' && <Text c="dimmed">{say('none')}</Text>}
        {webhooks?.toReversed().map((webhook) => (
          <WebhookEntry key={webhook.id} webhook={webhook} />
        ))}
        {application !== undefined && (
          <Group>
            <ButtonLink to="/settings/webhooks" variant="subtle">
              {say('showAll')}
            </ButtonLink>
          </Group>
        )}
      </Stack>
    </Container>
  );
}

/** True if a webhook receives messages about an application. */
function concerns({ application_id, event_id, kinds }: Webhook, application: string): boolean {
  if (application_id !== null) return application_id === application;
  return event_id === null && SITE_KINDS.some((kind) => kinds.includes(kind));
}
