import { List, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { callsQuery } from '../api/contact-list.ts';
import { words } from '../words.ts';

/** List of previous phone calls to a guest, the newest first. */
export function Calls({ eventId, roundId, guestId }: { eventId: string; roundId: string; guestId: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: calls, error, refetch } = useQuery(callsQuery(eventId, roundId, guestId));
  if (error && !calls) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!calls) return <Skeleton height={44} />;
  return (
    <List spacing={6} listStyleType="none">
      {calls.map(({ at, outcome, note, call_again_at: again }) => (
        <List.Item key={at}>
          <Text size="sm">
            <Text span c="dimmed">
              {dateAndTime(at, language)}
            </Text>
            {' · '}
            {say(`outcome_${outcome}`)}
            {again && ` · ${say('callAt', { at: dateAndTime(again, language) })}`}
          </Text>
          {note && (
            <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
              {note}
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  );
}
