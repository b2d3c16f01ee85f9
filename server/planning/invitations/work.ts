import { type Kysely, sql } from 'kysely';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { LinkOwner, Links } from '../answers/personal-links.ts';
import { type Addressee, letterTo } from './letter.ts';

const AT_ONCE = 50;

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
  { db, mail, links }: { db: Kysely<unknown>; mail: Pick<Mail, 'enqueue'>; links: Links },
  invitationId: string,
  signal: AbortSignal,
): Promise<void> {
  for (let written = AT_ONCE; written === AT_ONCE; ) {
    signal.throwIfAborted();
    written = await db.transaction().execute(async (transaction) => {
      const chosen = await nextOf(transaction, invitationId);
      const wanted = chosen.filter((one) => one.wanted);
      const urls = wanted.length > 0 ? await links.open(transaction, wanted) : [];
      for (const [index, guest] of wanted.entries()) {
        const letter = letterTo(guest, guest.kind, guest.message, urls[index] ?? '');
        const key = `invitation:${invitationId}:${guest.id}`;
        const mailId = await mail.enqueue(transaction, { ...letter, key });
        await settle(transaction, invitationId, [guest.id], mailId);
      }
      const unwanted = chosen.filter((one) => !one.wanted).map(({ id }) => id);
      if (unwanted.length > 0) await settle(transaction, invitationId, unwanted, undefined);
      return chosen.length;
    });
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
  guestIds: string[],
  mailId: string | undefined,
): Promise<void> {
  await sql`
    update invitation_guests set status = ${mailId ? 'mailed' : 'skipped'}, mail_id = ${mailId ?? null}
    where invitation_id = ${invitationId} and guest_id = any(${guestIds}::uuid[])`.execute(transaction);
}
