import { Group, Stack, Text } from '@mantine/core';
import type { Platform } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { formatDuration } from '../../../lib/durations.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { formatBytes, formatCount } from '../../site-figures/api/formats.ts';
import { words as stateWords } from '../../sites/api/state-words.ts';
import { type State, toneOf } from '../../sites/api/states.ts';
import { useStopAnySite } from '../api/platform.ts';
import { words } from '../words.ts';

type Site = Platform['sites'][number];

/** All sites, those that use the most first. */
export function PlatformSites({ sites }: { sites: readonly Site[] }) {
  const say = useWords(words);
  return (
    <Card title={say('sites')}>
      {sites.length === 0 && <Text c="dimmed">{say('noSites')}</Text>}
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {sites.map((site) => (
          <li key={site.environment_id}>
            <SiteEntry site={site} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function SiteEntry({ site }: { site: Site }) {
  const say = useWords(words);
  const sayState = useWords(stateWords);
  const { language } = useLanguage();
  const stop = useStopAnySite();
  const status = site.status as State;
  const facts = [
    [say('memory'), formatBytes(site.memory_bytes, language)],
    [say('processor'), formatDuration(site.processor_ms, language)],
    [say('requests'), formatCount(site.requests, language)],
    [say('diskUse'), formatBytes(site.disk_bytes, language)],
  ];
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{site.name}</bdi> <bdi dir="ltr">{site.subdomain}</bdi>
        </Text>
        <ToneBadge tone={toneOf(status)}>{sayState(status)}</ToneBadge>
      </Group>
      <Text size="sm" c="dimmed">
        {say('owner')}: <bdi dir="ltr">{site.owner}</bdi>
      </Text>
      <Group component="dl" gap="md" m={0}>
        {facts.map(([name, value]) => (
          <Group key={name} gap={4}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} size="sm">
              {value}
            </Text>
          </Group>
        ))}
      </Group>
      {(status === 'live' || status === 'down') && (
        <ConfirmButton
          label={say('stop')}
          keep={say('keep')}
          about={say('aboutStop')}
          error={stop.error}
          isPending={stop.isPending}
          onConfirm={() => stop.mutate(site.environment_id)}
        />
      )}
    </Stack>
  );
}
