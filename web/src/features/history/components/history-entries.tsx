import { Group, Stack, Text, Title } from '@mantine/core';
import {
  CalendarDays,
  ClipboardCheck,
  HandCoins,
  HelpCircle,
  type LucideIcon,
  Mail,
  MailOpen,
  Send,
  Settings2,
  Share2,
  UserRound,
} from 'lucide-react';
import { dayAfter, dayOf, longDay, timeOfDay, todayInIsrael } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { useSession } from '../../sign-in/api/session.ts';
import type { HistoryEntry } from '../api/history.ts';
import { words } from '../words.ts';
import { type DescribedEntry, describeEntry } from './describe-entry.ts';
import classes from './history-entries.module.css';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  event: CalendarDays,
  guest: UserRound,
  guest_request: MailOpen,
  booking: HandCoins,
  checklist: ClipboardCheck,
  co_organizer: Share2,
  rsvp_settings: Settings2,
  invitation: Mail,
  question: HelpCircle,
  round: Send,
  notices: Send,
  agenda_item: CalendarDays,
};

interface StoryProps {
  entries: readonly HistoryEntry[];
  items: ReadonlyMap<string, string>;
}

/** List of an event's history entries, grouped by day, the newest first. */
export function HistoryEntries({ entries, items }: StoryProps) {
  const { language } = useLanguage();
  const days = Map.groupBy(entries, ({ at }) => dayOf(at));
  return (
    <Stack gap="xl">
      {[...days].map(([day, lines]) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <Title order={3} size="h4" mb="sm" id={`day-${day}`}>
            <DayName day={day} />
          </Title>
          <ol className={classes.lines}>
            {lines.map((entry) => (
              <Line key={entry.id} entry={entry} described={describeEntry(entry, { language, items })} />
            ))}
          </ol>
        </section>
      ))}
    </Stack>
  );
}

function DayName({ day }: { day: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const date = longDay(day, language);
  if (day === todayInIsrael()) return say('today', { date });
  return day === dayAfter(todayInIsrael(), -1) ? say('yesterday', { date }) : date;
}

function Line({
  entry: { at, by, subject },
  described: { sentence, details },
}: {
  entry: HistoryEntry;
  described: DescribedEntry;
}) {
  const { language } = useLanguage();
  const Icon = ICONS[subject] ?? CalendarDays;
  return (
    <li className={classes.line}>
      <span className={classes.icon}>
        <Icon size={18} aria-hidden />
      </span>
      <div className={classes.what}>
        <Text fw={500}>{sentence}</Text>
        {details.length > 0 && (
          <ul className={classes.details}>
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
        <Group gap={6}>
          <Text size="sm" c="dimmed">
            <time dateTime={at} dir="ltr">
              {timeOfDay(at, language)}
            </time>
            {' · '}
            <Author by={by} subject={subject} />
          </Text>
        </Group>
      </div>
    </li>
  );
}

function Author({ by, subject }: Pick<HistoryEntry, 'by' | 'subject'>) {
  const say = useWords(words);
  const { token } = by;
  return (
    <>
      <AuthorName by={by} subject={subject} />
      {token !== null && ` · ${say('withToken', { token })}`}
    </>
  );
}

function AuthorName({ by: { kind, id, email }, subject }: Pick<HistoryEntry, 'by' | 'subject'>) {
  const say = useWords(words);
  const session = useSession();
  // A guest request comes by the open link, from a person who is not yet a guest.
  if (kind === 'system') return say(subject === 'guest_request' ? 'byOpenLink' : 'bySystem');
  if (kind === 'guest') return say('byGuest');
  if (id === session?.user.user_id) return say('byYou');
  return email ? say('byOne', { who: email }) : say('byOrganizer');
}
