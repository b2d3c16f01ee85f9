import { Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MapPin } from 'lucide-react';
import type { ListedEvent } from 'simcha-client';
import { LinkCard } from '../../../components/link-card.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { daysUntil, longDateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

export function EventCard({ event, note }: { event: ListedEvent; note?: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const {
    id,
    title,
    event_date: at,
    venue_name: venue,
    status,
    rsvp_confirmed: yes,
    rsvp_total: all,
  } = event;
  const days = at ? daysUntil(at) : -1;
  const isAhead = days >= 0 && (status === 'draft' || status === 'published');
  return (
    <LinkCard>
      <Stack gap={6} h="100%">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h4" lineClamp={2}>
            <Link to="/events/$eventId" params={{ eventId: id }}>
              <bdi>{title}</bdi>
            </Link>
          </Title>
          <StateBadge state={status}>{say(status)}</StateBadge>
        </Group>
        {at && <Text>{longDateAndTime(at, language)}</Text>}
        <Group gap={6} wrap="nowrap" c="dimmed">
          <MapPin size={16} aria-hidden style={{ flex: 'none' }} />
          <Text truncate component="bdi">
            {venue}
          </Text>
        </Group>
        <Group justify="space-between" mt="auto" pt={6} gap="xs">
          <Text size="sm" c="dimmed">
            {all === 0
              ? say('ofGuests', { n: 0 })
              : `${say('coming', { n: yes })} · ${say('ofGuests', { n: all })}`}
          </Text>
          {isAhead && (
            <Text size="sm" fw={600} c="var(--mantine-primary-color-filled)">
              {say('daysToGo', { n: days })}
            </Text>
          )}
        </Group>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
      </Stack>
    </LinkCard>
  );
}
