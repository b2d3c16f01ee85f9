import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Platform } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { timeAgo } from '../../../lib/durations.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { formatBytes } from '../../site-figures/api/formats.ts';
import { words as stateWords } from '../../sites/api/state-words.ts';
import { type State, toneOf } from '../../sites/api/states.ts';
import { platformQuery } from '../api/platform.ts';
import { PlatformDevelopers } from '../components/platform-developers.tsx';
import { PlatformSites } from '../components/platform-sites.tsx';
import { words } from '../words.ts';

/** Page for the server's operators: the state of the whole platform. */
export function Operator() {
  const say = useWords(words);
  const { data: platform, error, refetch } = useQuery(platformQuery);
  return (
    <Stack gap="md">
      <PageHead title={say('title')} about={say('about')} />
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!platform && !error && <LoadingSkeleton />}
      {platform && (
        <>
          <Health platform={platform} />
          <Queue queue={platform.queue} />
          <PlatformSites sites={platform.sites} />
          <PlatformDevelopers developers={platform.developers} />
          <Domains domains={platform.domains} />
        </>
      )}
    </Stack>
  );
}

function Health({ platform: { health, disk } }: { platform: Platform }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const sizes = {
    free: formatBytes(disk.free_bytes, language),
    size: formatBytes(disk.size_bytes, language),
  };
  return (
    <Card title={say('health')}>
      <div role="status">
        {health.findings.length === 0 ? (
          <Text fw={600}>{health.sentence}</Text>
        ) : (
          health.findings.map(({ code, sentence }) => (
            <Text key={code} fw={600} c="var(--simcha-danger)">
              {sentence}
            </Text>
          ))
        )}
      </div>
      <Text c="dimmed">{say('disk', sizes)}</Text>
    </Card>
  );
}

function Queue({ queue }: Pick<Platform, 'queue'>) {
  const say = useWords(words);
  const sayState = useWords(stateWords);
  return (
    <Card title={say('queue')}>
      {queue.length === 0 && <Text c="dimmed">{say('noQueue')}</Text>}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {queue.map(({ deployment_uuid: id, subdomain, owner, status, requested_at: at }) => (
          <Group component="li" key={id} gap="sm">
            <bdi dir="ltr">{subdomain}</bdi>
            <ToneBadge tone={toneOf(status as State)}>{sayState(status as State)}</ToneBadge>
            <Text size="sm" c="dimmed">
              <bdi dir="ltr">{owner}</bdi> <TimeAgo at={at} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

function Domains({ domains }: Pick<Platform, 'domains'>) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <Card title={say('domains')}>
      {domains.length === 0 && <Text c="dimmed">{say('noDomains')}</Text>}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {domains.map(({ hostname, subdomain, is_proved: isProved, certificate_asked_at: asked }) => (
          <Group component="li" key={`${subdomain} ${hostname}`} gap="sm">
            <bdi dir="ltr">{hostname}</bdi>
            <ToneBadge tone={isProved ? 'good' : 'quiet'}>{say(isProved ? 'proved' : 'unproved')}</ToneBadge>
            <Text size="sm" c="dimmed">
              {asked === null ? say('neverAsked') : say('asked', { when: timeAgo(asked, language) })}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
