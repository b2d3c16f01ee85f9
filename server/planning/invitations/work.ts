import { type Kysely, sql } from 'kysely';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { LinkOwner, Links } from '../answers/personal-links.ts';
import { type Addressee, letterTo } from './letter.ts';

/** Few enough that everybody else gets their turn between one batch and the next, where there is one connection. */
const AT_ONCE = 25;

interface Chosen extends Addressee, LinkOwner {
  kind: 'invitation' | 'reminder';
  message: string | null;
  wanted: boolean;
}

/**
 * Writes the mails of a round, some at a time, each batch and its mails one commit: worked again after a crash, it
 * goes on behind the last batch, and two servers at it take turns.
 */
export async function writeMails(
  { db, mail, links }: { db: Kysely<unknown>; mail: Pick<Mail, 'enqueueAll'>; links: Links },
  invitationId: string,
  signal: AbortSignal,
): Promise<void> {
  for (let written = AT_ONCE; written === AT_ONCE; ) {
    signal.throwIfAborted();
    written = await db.transaction().execute(async (transaction) => {
      const chosen = await nextOf(transaction, invitationId);
      const wanted = chosen.filter((one) => one.wanted);
      const mailIds = await mailTo(transaction, wanted);
      await settle(
        transaction,
        invitationId,
        chosen.map(({ id }) => ({ guest_id: id, mail_id: mailIds.get(id) ?? null })),
      );
      return chosen.length;
    });
  }

  /** The mails' ids by their guests'; a guest whose mail was there already has none. */
  async function mailTo(transaction: Kysely<unknown>, guests: Chosen[]): Promise<Map<string, string>> {
    if (guests.length === 0) return new Map();
    const urls = await links.open(transaction, guests);
    const letters = guests.map((guest, index) => ({
      ...letterTo(guest, guest.kind, guest.message, urls[index] ?? ''),
      key: `invitation:${invitationId}:${guest.id}`,
    }));
    const ids = await mail.enqueueAll(transaction, letters);
    return new Map(guests.flatMap(({ id }, index) => (ids[index] ? [[id, ids[index]] as const] : [])));
  }
}

/** Who comes next. What changed since the round was made counts: nobody is reminded of what they answered. */
async function nextOf(transaction: Kysely<unknown>, invitationId: string): Promise<Chosen[]> {
  const { rows } = await sql<Chosen>`
    select guests.id, guests.event_id, guests.link_version, guests.name, guests.email,
      coalesce(guests.language, events.language_pref) as language,
      events.title, events.event_date, events.venue_name, events.venue_address, round.kind, round.message,
      guests.email is not null and guests.unsubscribed_at is null
        and events.deleted_at is null and events.status <> 'cancelled'
        and (round.kind = 'invitation' or (guests.rsvp_status = 'pending' and guests.waiting_order is null)) as wanted
    from invitation_guests chosen
    join invitations round on round.id = chosen.invitation_id
    join guests on guests.id = chosen.guest_id
    join events on events.id = round.event_id
    where chosen.invitation_id = ${invitationId} and chosen.status = 'waiting'
    order by chosen.guest_id limit ${AT_ONCE}
    for update of chosen skip locked`.execute(transaction);
  return rows;
}

async function settle(
  transaction: Kysely<unknown>,
  invitationId: string,
  guests: { guest_id: string; mail_id: string | null }[],
): Promise<void> {
  await sql`
    update invitation_guests set status = case when settled.mail_id is null then 'skipped' else 'mailed' end,
      mail_id = settled.mail_id
    from json_to_recordset(${JSON.stringify(guests)}::json) as settled (guest_id uuid, mail_id uuid)
    where invitation_id = ${invitationId} and invitation_guests.guest_id = settled.guest_id`.execute(
    transaction,
  );
}
