import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { EventToday } from 'simcha-client';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import classes from './today.module.css';

const PARTS = [
  { name: 'confirmed', color: 'var(--simcha-yes)' },
  { name: 'maybe', color: 'var(--simcha-maybe)' },
  { name: 'waiting', color: 'var(--simcha-waiting)' },
  { name: 'declined', color: 'var(--simcha-no)' },
] as const;

/** List of guests' new replies since the user's last visit, by event. */
export function NewReplies({ events, showsEvent }: { events: readonly EventToday[]; showsEvent: boolean }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <Stack component="ul" gap="md" className={classes.list}>
      {events.map(({ event, answers }) => (
        <li key={event.id}>
          <Link
            to="/events/$eventId/guests"
            params={{ eventId: event.id }}
            search={{ order: 'answered' }}
            className={classes.news}
          >
            {say('answered', { n: answers.guests })}
          </Link>
          {showsEvent && (
            <Text size="sm" c="dimmed">
              <bdi>{event.title}</bdi>
            </Text>
          )}
          <Group component="dl" gap="xs" m={0} mt={6}>
            {PARTS.filter(({ name }) => answers[name] > 0).map(({ name, color }) => (
              <Group key={name} gap={6} wrap="nowrap" className={classes.part}>
                <span className={classes.dot} style={{ background: color }} aria-hidden />
                <Text component="dt" size="sm">
                  {say(name)}
                </Text>
                <Text component="dd" size="sm" fw={600} m={0}>
                  {formatNumber(answers[name], language)}
                  {name === 'confirmed' && answers.people > answers.confirmed && (
                    <Text span c="dimmed" fw={400}>
                      {' '}
                      {say('people', { n: answers.people })}
                    </Text>
                  )}
                </Text>
              </Group>
            ))}
          </Group>
        </li>
      ))}
    </Stack>
  );
}
