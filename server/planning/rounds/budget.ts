import { type Kysely, sql } from 'kysely';
import type { Forecast } from '../../kernel/mail/budget.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { refuseStopped, tooManyMailsRefusal } from '../../kernel/mail/refusals.ts';
import { mailSenderOf } from '../events/mail-sender.ts';
import type { NewRound } from './fields.ts';
import { usefulUntil } from './kinds.ts';
import type { RoundEvent } from './round-event.ts';

type Post = Pick<Mail, 'forecast' | 'stopReasonOf'>;

/**
 * Forecast of a round's mails against the organizer's mail budget: how many go at once and how many later. Undefined
 * for other channels and for cancellations, which are outside the budget. Throws a 409 if the organizer's mail is
 * stopped.
 */
export async function forecastRound(
  db: Kysely<unknown>,
  mail: Post,
  event: RoundEvent,
  { kind, channel, send_at }: Pick<NewRound, 'kind' | 'channel' | 'send_at'>,
  count: number,
): Promise<Forecast | undefined> {
  if (channel !== 'mail') return undefined;
  const sender = await mailSenderOf(db, event.id);
  await refuseStopped(mail, db, sender.id);
  if (kind === 'cancellation') return undefined;
  const until = usefulUntil(kind, event);
  return mail.forecast(db, sender, count, { until, ...(send_at && { at: Temporal.Instant.from(send_at) }) });
}

/** Throws a 429 if mails of a round that is sent now would have to wait too long for the organizer's mail budget. */
export async function refuseOverBudget(
  transaction: Kysely<unknown>,
  mail: Post,
  event: RoundEvent,
  round: NewRound & { id: string },
): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from round_guests
    where round_id = ${round.id} and status = 'waiting'`.execute(transaction);
  const count = rows[0]?.count ?? 0;
  const forecast = await forecastRound(transaction, mail, event, round, count);
  if (forecast && forecast.beyond > 0 && !round.send_at) throw tooManyMailsRefusal(forecast, count);
}
