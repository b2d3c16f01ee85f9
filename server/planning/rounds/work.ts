import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { ByLanguage } from '../../kernel/takes.ts';
import type { LinkOwner, Links } from '../answers/personal-links.ts';
import type { EventDoor } from '../events/write.ts';
import { type LeftOut, leftOut, type Story, storyOf, TOLD_AT } from './audience.ts';
import { type Hindrance, hindranceOf, type Kind, mannerOf } from './kinds.ts';
import { type Addressee, addressee, letterTo } from './letter.ts';
import { lockOccasion } from './occasion.ts';
import { begin, callOff, lockScheduled } from './store.ts';
import { asOf } from './told.ts';

/** Few enough that everybody else gets their turn between one batch and the next, where there is one connection. */
const AT_ONCE = 25;

export interface WorkParts {
  db: Kysely<unknown>;
  door: EventDoor;
  mail: Pick<Mail, 'enqueueAll'>;
  links: Links;
  clock: Clock;
  /** The host part of calendar entries' ids. */
  host: string;
}

/** Works on a round: begins it when its time has come, and writes its mails. Worked again, it goes on where it stopped. */
export async function workOnRound(parts: WorkParts, roundId: string, signal: AbortSignal): Promise<void> {
  if (await beginInTime(parts, roundId)) await writeMails(parts, roundId, signal);
}

/** True once a round has begun; one that was moved to later has a job of its own for that. */
async function beginInTime({ db, door }: WorkParts, roundId: string): Promise<boolean> {
  // By the clock that the job was taken up by: a server whose own is behind would let the time pass.
  const { rows } = await sql<{ event_id: string; begun: boolean; due: boolean; send_at: Date }>`
    select event_id, begun_at is not null as begun, send_at,
      called_off_at is null and send_at <= clock_timestamp() as due
    from rounds where id = ${roundId}`.execute(db);
  const [round] = rows;
  if (!round || round.begun || !round.due) return round?.begun ?? false;
  const eventId = round.event_id;
  const enter = (transaction: Kysely<unknown>) => lockOccasion(transaction, eventId);
  return door.enter({ eventId, by: { kind: 'system' }, enter }, async ({ transaction, event, now, note }) => {
    const scheduled = await lockScheduled(transaction, eventId, roundId);
    if (scheduled?.send_at !== round.send_at.toISOString()) return false;
    const hindrance: Hindrance | undefined = event.is_deleted
      ? 'cancelled'
      : hindranceOf(scheduled.kind, event, now);
    if (hindrance) {
      await callOff(transaction, roundId, hindrance, now);
      note('round', roundId, 'called_off');
      return false;
    }
    await begin(transaction, eventId, roundId, scheduled, now);
    note('round', roundId, 'sent');
    return true;
  });
}

interface Chosen extends Addressee, LinkOwner {
  kind: Kind;
  subject: ByLanguage | null;
  message: ByLanguage | null;
  told_at: Date | null;
  as_of: Date;
  deleted: boolean;
  why: LeftOut | null;
}

/** Writes the mails of a round, some at a time, each batch and its mails one commit: two servers at it take turns. */
export async function writeMails(
  { db, mail, links, clock, host }: Omit<WorkParts, 'door'>,
  roundId: string,
  signal: AbortSignal,
): Promise<void> {
  for (let written = AT_ONCE; written === AT_ONCE; ) {
    signal.throwIfAborted();
    written = await db.transaction().execute(async (transaction) => {
      const { chosen, story } = await nextOf(transaction, roundId);
      const now = clock();
      const wanted = chosen.filter((one) => one.why === null && isInTime(one, now));
      const mailIds = await mailTo(transaction, wanted, story, now);
      await settle(
        transaction,
        roundId,
        chosen.map(({ id, why, kind, as_of }) => ({
          guest_id: id,
          mail_id: mailIds.get(id) ?? null,
          left_out: mailIds.has(id) ? null : (why ?? 'not_now'),
          told_as_of: mailIds.has(id) && mannerOf(kind).tells ? as_of : null,
        })),
      );
      return chosen.length;
    });
  }

  /** The mails' ids by their guests'. */
  async function mailTo(
    transaction: Kysely<unknown>,
    guests: Chosen[],
    story: Story,
    now: Temporal.Instant,
  ): Promise<Map<string, string>> {
    if (guests.length === 0) return new Map();
    const urls = await links.open(transaction, guests);
    const letters = guests.map((guest, index) => {
      const before = guest.told_at && asOf(story.now, story.moves, guest.told_at.getTime());
      const url = urls[index] ?? '';
      return {
        ...letterTo(guest, guest, { url, before, now, host }),
        key: `round:${roundId}:${guest.id}`,
      };
    });
    const ids = await mail.enqueueAll(transaction, letters);
    return new Map(guests.flatMap(({ id }, index) => (ids[index] ? [[id, ids[index]] as const] : [])));
  }
}

function isInTime({ kind, deleted, status, event_date }: Chosen, now: Temporal.Instant): boolean {
  return !deleted && hindranceOf(kind, { status, event_date }, now) === undefined;
}

/** Who comes next. What changed since the round was made counts: nobody is reminded of what they answered. */
async function nextOf(
  transaction: Kysely<unknown>,
  roundId: string,
): Promise<{ chosen: Chosen[]; story: Story }> {
  const { rows: rounds } = await sql<{ event_id: string; kind: Kind; also_answered: boolean }>`
    select event_id, kind, also_answered from rounds where id = ${roundId}`.execute(transaction);
  const [round] = rounds;
  if (!round) return { chosen: [], story: NO_STORY };
  const { kind, event_id: eventId, also_answered: alsoAnswered } = round;
  const story = await storyOf(transaction, eventId);
  const { rows } = await sql<Chosen>`
    select ${addressee}, round.kind, round.subject, round.message, ${TOLD_AT} as told_at,
      events.updated_at as as_of, events.deleted_at is not null as deleted, ${leftOut(kind, { alsoAnswered, story })} as why
    from round_guests meant
    join rounds round on round.id = meant.round_id
    join guests on guests.id = meant.guest_id
    join events on events.id = round.event_id
    left join invitations invitation on invitation.event_id = events.id
    where meant.round_id = ${roundId} and meant.status = 'waiting'
    order by meant.guest_id limit ${AT_ONCE}
    for update of meant skip locked`.execute(transaction);
  return { chosen: rows, story };
}

const NO_STORY: Story = { now: { event_date: null, venue_name: '', venue_address: null }, moves: [] };

interface Settled {
  guest_id: string;
  mail_id: string | null;
  left_out: LeftOut | null;
  told_as_of: Date | null;
}

async function settle(transaction: Kysely<unknown>, roundId: string, guests: Settled[]): Promise<void> {
  await sql`
    update round_guests set status = case when settled.mail_id is null then 'left_out' else 'written' end,
      mail_id = settled.mail_id, left_out = settled.left_out, told_as_of = settled.told_as_of
    from json_to_recordset(${JSON.stringify(guests)}::json)
      as settled (guest_id uuid, mail_id uuid, left_out text, told_as_of timestamptz)
    where round_id = ${roundId} and round_guests.guest_id = settled.guest_id`.execute(transaction);
}
