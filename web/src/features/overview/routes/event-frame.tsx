import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { StateBadge } from '../../../components/state-badge.tsx';
import { longDateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { eventCalendarQuery, eventQuery } from '../../events/api/events.ts';
import { words as sectionWords } from '../../events/api/section-words.ts';
import { openSectionOf } from '../../events/api/sections.ts';
import { EventSections } from '../components/event-sections.tsx';
import { words } from '../words.ts';
import classes from './event-frame.module.css';

/** Delay before the Hebrew date is loaded, which only paper shows, in milliseconds. */
const HEBREW_DATE_MS = 3_000;

const route = getRouteApi('/inside/events/$eventId');

/** Frame around the pages of an event, with its title, its date and the navigation to its sections. */
export function EventFrame() {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const { language } = useLanguage();
  const { eventId } = route.useParams();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { pathname } = useLocation();
  const { group, section } = openSectionOf(pathname, eventId);
  const { title, event_date: at, venue_name: venue, status } = event;
  return (
    <Stack gap="lg">
      <title>{[...(section.exact ? [] : [sayName(section.name)]), title, 'Simcha'].join(' · ')}</title>
      <div>
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Title order={1} size="h2" className={classes.title}>
            <bdi>{title}</bdi>
          </Title>
          <StateBadge state={status}>{say(status)}</StateBadge>
        </Group>
        <Text c="dimmed">
          {at && <time dateTime={at}>{longDateAndTime(at, language)}</time>}
          <HebrewDate eventId={eventId} />
          {' · '}
          <bdi>{venue}</bdi>
        </Text>
      </div>
      <EventSections eventId={eventId} openGroup={group} />
      {/* Target of the link that skips the navigation. */}
      <div id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </div>
    </Stack>
  );
}

/** Hebrew date of the event, on paper only. It is loaded after what the screen shows. */
function HebrewDate({ eventId }: { eventId: string }) {
  const { language } = useLanguage();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const wait = setTimeout(() => setDue(true), HEBREW_DATE_MS);
    return () => clearTimeout(wait);
  }, []);
  const { data: calendar } = useQuery({ ...eventCalendarQuery(eventId), enabled: isDue });
  const hebrew = calendar?.hebrew_date;
  if (!hebrew) return null;
  return <span className="on-paper">{` · ${language === 'he' ? hebrew.letters : hebrew.text}`}</span>;
}
