import { Group, Stack, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { StateBadge } from '../../../components/state-badge.tsx';
import { dateAndTime, longDateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { eventQuery } from '../../events/api/events.ts';
import { words as sectionWords } from '../../events/api/section-words.ts';
import { SECTIONS } from '../../events/api/sections.ts';
import { ExampleNote } from '../components/example-note.tsx';
import { WaitingBadge } from '../components/waiting-badge.tsx';
import { words } from '../words.ts';
import classes from './event-frame.module.css';

const route = getRouteApi('/inside/events/$eventId');

/** Frame around the pages of an event, with its title, its date and the navigation to its sections. */
export function EventFrame() {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const { language } = useLanguage();
  const { eventId } = route.useParams();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { pathname } = useLocation();
  const sections = useRef<HTMLElement>(null);
  // The open section is scrolled into view, since a phone has no room for all.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another section is open
  useEffect(() => {
    const open = sections.current?.querySelector('[aria-current=page]');
    open?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [pathname]);
  const section = SECTIONS.find(
    ({ to, exact }) => !exact && pathname.startsWith(to.replace('$eventId', eventId)),
  );
  const { title, event_date: at, venue_name: venue, status } = event;
  return (
    <Stack gap="lg">
      <title>{[...(section ? [sayName(section.name)] : []), title, 'Simcha'].join(' · ')}</title>
      <div>
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Title order={1} size="h2" className={classes.title}>
            <bdi>{title}</bdi>
          </Title>
          <StateBadge state={status}>{say(status)}</StateBadge>
        </Group>
        <Text c="dimmed">
          {at && (
            <time dateTime={at} title={dateAndTime(at, language)}>
              {longDateAndTime(at, language)}
            </time>
          )}
          {' · '}
          <bdi>{venue}</bdi>
        </Text>
      </div>
      <ExampleNote eventId={eventId} />
      <nav ref={sections} aria-label={say('sections')} className={classes.sections}>
        {SECTIONS.map(({ to, name, exact }) => (
          <Link key={to} to={to} params={{ eventId }} activeOptions={{ exact }} className={classes.section}>
            {sayName(name)}
            {name === 'waitingAndRequests' && <WaitingBadge eventId={eventId} />}
          </Link>
        ))}
      </nav>
      <Outlet />
    </Stack>
  );
}
