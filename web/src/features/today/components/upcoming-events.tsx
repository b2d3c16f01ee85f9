import { Stack, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PartyPopper } from 'lucide-react';
import type { EventToday } from 'simcha-client';
import { formatNumber, longDateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import classes from './today.module.css';

const NEAR = 7;

/** List of upcoming events with the number of days until each. */
export function UpcomingEvents({ events }: { events: readonly EventToday[] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <Stack component="ul" gap={0} className={classes.list}>
      {events.map(({ event, days_to_go: days }) => (
        <li key={event.id} className={classes.row}>
          <div className={classes.count} aria-hidden data-near={days <= NEAR || undefined}>
            {days === 0 ? (
              <PartyPopper size={22} />
            ) : (
              <span>
                <span className={classes.number}>{formatNumber(days, language)}</span>
                <span className={classes.unit}>{say('days', { n: days })}</span>
              </span>
            )}
          </div>
          <div className={classes.what}>
            <Link to="/events/$eventId" params={{ eventId: event.id }} className={classes.link}>
              <bdi>{event.title}</bdi>
            </Link>
            <Text size="sm" c="dimmed">
              <VisuallyHidden>{say('daysToGo', { n: days })}</VisuallyHidden>
              {event.event_date && (
                <time dateTime={event.event_date}>{longDateAndTime(event.event_date, language)}</time>
              )}
            </Text>
          </div>
        </li>
      ))}
    </Stack>
  );
}
