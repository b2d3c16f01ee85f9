import { type Kysely, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Language } from '../../kernel/languages.ts';
import type { AgendaItem, AgendaWarning } from './contract.ts';
import { messages } from './messages.ts';

/** Agenda items before this hour count as part of the night before. */
const NIGHT_END = Temporal.PlainTime.from('06:00');

/** Warnings about agenda items with a likely mistake in their time: on the day before the event, or after its end. */
export async function agendaWarnings(
  db: Kysely<unknown>,
  eventId: string,
  { starts_at }: AgendaItem,
  language: Language,
): Promise<AgendaWarning[]> {
  const { rows } = await sql<{ event_date: Date | null; minutes: number | null }>`
    select events.event_date, invitations.lasts_minutes as minutes
    from events left join invitations on invitations.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  const { event_date = null, minutes = null } = rows[0] ?? {};
  if (!event_date) return [];
  const begins = event_date.toTemporalInstant();
  const starts = Temporal.Instant.from(starts_at);
  if (Temporal.PlainDate.compare(dayOf(starts), dayOf(begins)) < 0)
    return [{ code: 'day_before', message: messages.dayBefore[language] }];
  if (Temporal.Instant.compare(starts, endOf(begins, minutes)) < 0) return [];
  const words = minutes === null ? messages.anotherDay : messages.afterEnd;
  return [{ code: 'after_the_end', message: words[language] }];
}

/** End of the event that begins at `begins`; if its length is not known, the morning after. */
function endOf(begins: Temporal.Instant, minutes: number | null): Temporal.Instant {
  if (minutes !== null) return begins.add({ minutes });
  const local = begins.toZonedDateTimeISO(DEFAULT_ZONE);
  const isNight = Temporal.PlainTime.compare(local.toPlainTime(), NIGHT_END) < 0;
  return local
    .add({ days: isNight ? 0 : 1 })
    .withPlainTime(NIGHT_END)
    .toInstant();
}

function dayOf(instant: Temporal.Instant): Temporal.PlainDate {
  return instant.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate();
}
