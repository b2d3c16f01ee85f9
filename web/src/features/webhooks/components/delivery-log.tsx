import { Button, Code, Group, Pagination, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { WebhookDelivery } from 'simcha-client';
import { CodeBlock } from '../../../components/code-block.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { type Tone, ToneBadge } from '../../../components/tone-badge.tsx';
import { dateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { type DeliveryFilter, deliveriesQuery, deliveryQuery, useReplay } from '../api/webhooks.ts';
import { words } from '../words.ts';

const STATES = {
  waiting: { tone: 'wait', word: 'isWaiting' },
  succeeded: { tone: 'good', word: 'hasSucceeded' },
  failed: { tone: 'bad', word: 'hasFailed' },
} as const satisfies Record<WebhookDelivery['state'], { tone: Tone; word: keyof typeof words }>;
const FILTERS = ['all', 'failed', 'waiting', 'succeeded'] as const;

/** Log of a webhook's deliveries, the newest first; each message can be read and sent again. */
export function DeliveryLog({ webhook, isOn }: { webhook: string; isOn: boolean }) {
  const say = useWords(words);
  const notify = useNotify();
  const [state, setState] = useState<DeliveryFilter>('all');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(deliveriesQuery(webhook, state, page));
  const replay = useReplay(webhook);
  const pages = data ? Math.ceil(data.total / data.limit) : 0;
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={say('state')}
        fullWidth
        value={state}
        onChange={(value) => {
          setState(value as DeliveryFilter);
          setPage(1);
        }}
        data={FILTERS.map((value) => ({ value, label: say(value) }))}
      />
      <ProblemNote error={error ?? replay.error} onRetry={error ? () => refetch() : undefined} />
      {!data && !error && <Skeleton height={72} />}
      {data?.deliveries.length === 0 && <Text c="dimmed">{say('noDeliveries')}</Text>}
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.deliveries.map((delivery) => (
          <DeliveryEntry
            key={delivery.id}
            webhook={webhook}
            delivery={delivery}
            onReplay={isOn ? () => replay.mutate(delivery.id) : undefined}
            isReplaying={replay.isPending && replay.variables === delivery.id}
          />
        ))}
      </Stack>
      {pages > 1 && <Pagination value={page} onChange={setPage} total={pages} size="sm" />}
      {isOn && state === 'failed' && data !== undefined && data.total > 1 && (
        <Group>
          <Button
            variant="default"
            loading={replay.isPending && replay.variables === 'failed'}
            onClick={() => replay.mutate('failed', { onSuccess: (n) => notify(say('replayedAll', { n })) })}
          >
            {say('replayAll')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface DeliveryEntryProps {
  webhook: string;
  delivery: WebhookDelivery;
  /** Sends the message again; undefined if the webhook is off. */
  onReplay: (() => void) | undefined;
  isReplaying: boolean;
}

function DeliveryEntry({ webhook, delivery, onReplay, isReplaying }: DeliveryEntryProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const { kind, state, tries, status, problem, created_at, next_try_at, duration_ms } = delivery;
  const result = status === null ? problem && say(problem) : say('answered', { status: String(status) });
  return (
    <Stack component="li" gap={6}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <ToneBadge tone={STATES[state].tone}>{say(STATES[state].word)}</ToneBadge>
          <Code dir="ltr">{kind}</Code>
          <Text size="sm" c="dimmed">
            <TimeAgo at={created_at} />
          </Text>
        </Group>
        <Group gap="xs">
          <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {say(isOpen ? 'hide' : 'show')}
          </Button>
          {onReplay && state !== 'waiting' && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<RotateCw size={16} aria-hidden />}
              loading={isReplaying}
              onClick={onReplay}
            >
              {say('replay')}
            </Button>
          )}
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {[
          ...(result ? [result] : []),
          ...(duration_ms === null ? [] : [say('took', { ms: duration_ms })]),
          say('tries', { n: tries }),
          ...(next_try_at ? [say('nextTry', { when: dateAndTime(next_try_at, language) })] : []),
        ].join(' · ')}
      </Text>
      {isOpen && <DeliveryDetails webhook={webhook} delivery={delivery} />}
    </Stack>
  );
}

function DeliveryDetails({ webhook, delivery }: { webhook: string; delivery: WebhookDelivery }) {
  const say = useWords(words);
  const { data, error } = useQuery(deliveryQuery(webhook, delivery.id));
  return (
    <Stack gap="xs">
      <ProblemNote error={error} />
      {delivery.answer && <CodeBlock title={say('answer')} code={delivery.answer} copyLabel={say('copy')} />}
      {!data && !error && <Skeleton height={100} />}
      {data && (
        <CodeBlock
          title={say('message')}
          code={data.payload ? JSON.stringify(data.payload, null, 2) : say('noAccess')}
          copyLabel={say('copy')}
        />
      )}
    </Stack>
  );
}
