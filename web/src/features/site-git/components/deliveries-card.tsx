import { Anchor, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { HookDelivery } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { type Tone, ToneBadge } from '../../../components/tone-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { shortHash } from '../../sites/api/describe-deployment.ts';
import { deliveriesQuery } from '../api/git-access.ts';
import { words } from '../words.ts';

const TONES = {
  deploying: 'good',
  removed: 'quiet',
  ignored: 'quiet',
  checking: 'wait',
} as const satisfies Record<HookDelivery['status'], Tone>;

/** Number of deliveries that the card shows. */
const SHOWN = 10;

/** Card with the last deliveries to a site's push hook: what followed from each, and why nothing did. */
export function DeliveriesCard({ name }: { name: string }) {
  const say = useWords(words);
  const { data: deliveries, error, refetch } = useQuery(deliveriesQuery(name));
  return (
    <Card title={say('deliveries')}>
      <Stack>
        <ProblemNote error={error} onRetry={() => refetch()} />
        {!deliveries && !error && <Skeleton height={72} />}
        {deliveries?.length === 0 && <Text c="dimmed">{say('noDeliveries')}</Text>}
        {deliveries && deliveries.length > 0 && (
          <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
            {deliveries.slice(0, SHOWN).map((delivery) => (
              <DeliveryEntry key={delivery.delivery_uuid} name={name} delivery={delivery} />
            ))}
          </Stack>
        )}
      </Stack>
    </Card>
  );
}

function DeliveryEntry({ name, delivery }: { name: string; delivery: HookDelivery }) {
  const say = useWords(words);
  const {
    status,
    branch,
    preview,
    message,
    deployment_uuid,
    base_hash: base,
    commit_hash: commit,
  } = delivery;
  return (
    <li>
      <Group gap="4px 12px">
        <ToneBadge tone={TONES[status]}>{say(`delivery_${status}`)}</ToneBadge>
        {branch !== null && <bdi style={{ overflowWrap: 'anywhere' }}>{branch}</bdi>}
        {preview !== null && (
          <Text size="sm" c="dimmed">
            {say('ofPreview')} <bdi dir="ltr">{preview}</bdi>
          </Text>
        )}
        <Text size="sm" c="dimmed">
          <TimeAgo at={delivery.received_at} />
        </Text>
        {deployment_uuid !== null && (
          <Anchor component={Link} to={`/sites/${name}/deployments/${deployment_uuid}`} size="sm">
            {say('itsDeployment')}
          </Anchor>
        )}
      </Group>
      {message !== null && <Text size="sm">{message}</Text>}
      {delivery.changed !== null && base !== null && commit !== null && (
        <Text size="sm" c="dimmed">
          {say('changedSince', { n: delivery.changed })}{' '}
          <Code dir="ltr">
            {shortHash(base)}…{shortHash(commit)}
          </Code>
        </Text>
      )}
    </li>
  );
}
