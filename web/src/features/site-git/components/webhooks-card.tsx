import { Stack, Text } from '@mantine/core';
import { Webhook } from 'lucide-react';
import type { Application } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

/** Way to the webhooks about a site. */
export function WebhooksCard({ site }: { site: Application }) {
  const say = useWords(words);
  return (
    <Card title={say('webhooks')}>
      <Stack gap="md" align="flex-start">
        <Text c="dimmed">{say('webhooksAbout')}</Text>
        <ButtonLink
          to="/settings/webhooks"
          search={{ application: site.application_uuid }}
          variant="default"
          leftSection={<Webhook size={18} aria-hidden />}
        >
          {say('openWebhooks')}
        </ButtonLink>
      </Stack>
    </Card>
  );
}
