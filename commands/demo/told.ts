import { newId } from '../../server/kernel/identifiers.ts';
import type { DemoGuest } from './data.ts';

/** Whoever has no mail address and has not answered: so many are still to be told by hand. */
const STILL_TO_TELL = 12;

/**
 * How the guests of a wedding were invited: by mail, and by hand whoever has no address; as rows, for nothing shall really
 * go out to anybody.
 */
export function demoTold(
  event_id: string,
  organizerId: string,
  guests: readonly DemoGuest[],
  now: Temporal.Instant,
) {
  const mailed = round(event_id, 'mail', now.subtract({ hours: 9 * 24 }));
  const byHand = round(event_id, 'by_hand', now.subtract({ hours: 8 * 24 }));
  const mails = new Map(
    guests
      .filter(({ email }) => email !== null)
      .map(({ id }, index) => [id, mailOf(mailed.begun_at, index % 40 === 21)]),
  );
  const withoutMail = guests.filter(({ email }) => email === null);
  const toTell = new Set(
    withoutMail.filter(({ phone, answered_at }) => phone && !answered_at).slice(0, STILL_TO_TELL),
  );
  return {
    rounds: [mailed, byHand],
    mails: [...mails.values()],
    roundGuests: [
      ...guests.map(({ id }) => {
        const mail = mails.get(id);
        if (!mail) return leftOut(mailed.id, id, 'no_email');
        return { ...written(mailed.id, id), message_id: mail.id, told_as_of: now.toString() };
      }),
      ...withoutMail.map((guest) => {
        if (guest.phone === null) return leftOut(byHand.id, guest.id, 'no_phone');
        if (toTell.has(guest)) return { ...written(byHand.id, guest.id), status: 'waiting' };
        return { ...written(byHand.id, guest.id), sent_at: byHand.begun_at, told_as_of: now.toString() };
      }),
    ],
    history: [mailed, byHand].map(({ id, begun_at }) => ({
      event_id,
      at: begun_at,
      actor_kind: 'organizer',
      actor_id: organizerId,
      subject: 'round',
      subject_id: id,
      action: 'sent',
    })),
  };
}

function round(event_id: string, channel: 'mail' | 'by_hand', at: Temporal.Instant) {
  const begun_at = at.toString();
  return {
    id: newId(),
    event_id,
    kind: 'invitation',
    channel,
    begun_at,
    created_at: begun_at,
    updated_at: begun_at,
  };
}

function mailOf(at: string, bounced: boolean) {
  return {
    id: newId(),
    status: bounced ? 'refused' : 'sent',
    problem: bounced ? { code: 'refused', status: 550, step: 'RCPT TO' } : null,
    created_at: at,
    settled_at: at,
  };
}

function written(round_id: string, guest_id: string) {
  return {
    round_id,
    guest_id,
    status: 'written',
    left_out: null as string | null,
    message_id: null as string | null,
    sent_at: null as string | null,
    told_as_of: null as string | null,
  };
}

function leftOut(round_id: string, guest_id: string, why: string) {
  return { ...written(round_id, guest_id), status: 'left_out', left_out: why };
}
