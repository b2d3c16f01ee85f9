import { newId } from '../../server/kernel/identifiers.ts';
import type { ChannelName } from '../../server/planning/rounds/channels.ts';
import { type RoundKind, rulesOfKind } from '../../server/planning/rounds/kinds.ts';
import type { DemoGuest } from './data.ts';

/**
 * Number of guests in a message by hand whom the organizer still has to write to: they have no mail address and have
 * not answered.
 */
const STILL_TO_TELL = 12;
/** Number of people who registered for the conference and were accepted at once. */
const REGISTERED = 3;
/** Number of days since the demo's conference moved to another hall, and the name of its former hall. */
const MOVED = 6;
const FORMER_HALL = 'Expo Tel Aviv, Pavilion 2';
const DAY_HOURS = 24;

/** Ids of the demo's events whose guests received messages. */
export interface MessagedEvents {
  wedding: string;
  conference: string;
  cancelled: string;
  completed: readonly string[];
}

/** Message to many guests, as the demo stores it. */
interface SentRound {
  event_id: string;
  kind: RoundKind;
  channel: Extract<ChannelName, 'mail' | 'by_hand'>;
  at: Temporal.Instant;
  automatic?: true;
  guests: readonly DemoGuest[];
  /** Reason why a guest who could be reached gets no message; undefined if they get it. */
  not?(guest: DemoGuest): 'not_coming' | 'declined' | 'not_told_before' | 'told' | undefined;
  /** Guests whom the organizer still has to contact, in writing or by phone. */
  still?: ReadonlySet<DemoGuest>;
}

/**
 * Messages to guests and their results, as rows, because the demo must send no real messages. `dates`: start of each
 * event by id.
 */
export function demoMessages(
  { wedding, conference, cancelled, completed }: MessagedEvents,
  dates: ReadonlyMap<string, Temporal.Instant>,
  organizerId: string,
  guests: readonly DemoGuest[],
  now: Temporal.Instant,
) {
  const of = (id: string) => guests.filter(({ event_id }) => event_id === id);
  const ago = (days: number) => now.subtract({ hours: days * DAY_HOURS });
  const withoutMail = of(wedding).filter(({ email }) => email === null);
  const unanswered = withoutMail.filter(({ phone, answered_at }) => phone && !answered_at);
  const invited = { event_id: wedding, kind: 'invitation' } as const;
  const declined = (guest: DemoGuest) => (guest.rsvp_status === 'declined' ? 'declined' : undefined);
  const notComing = (guest: DemoGuest) => (guest.rsvp_status === 'confirmed' ? undefined : 'not_coming');
  const moved = ago(MOVED);
  // Guests who answered before the conference moved know its former hall; those who answered later know the new one.
  const toldOfMove = (guest: DemoGuest) =>
    declined(guest) ??
    (guest.answered_at === null
      ? 'not_told_before'
      : isBefore(guest.answered_at, moved)
        ? undefined
        : 'told');
  const registered = of(conference).filter(({ email, rsvp_status }) => email && rsvp_status === 'confirmed');
  const tellings: SentRound[] = [
    { event_id: wedding, kind: 'save_the_date', channel: 'mail', at: ago(45), guests: of(wedding) },
    { ...invited, channel: 'mail', at: ago(9), guests: of(wedding) },
    {
      ...invited,
      channel: 'by_hand',
      at: ago(8),
      guests: withoutMail,
      still: new Set(unanswered.slice(0, STILL_TO_TELL)),
    },
    {
      event_id: conference,
      kind: 'change',
      channel: 'mail',
      at: moved.add({ hours: 1 }),
      guests: of(conference),
      not: toldOfMove,
    },
    ...registered.slice(0, REGISTERED).map((guest) => ({
      ...({ event_id: conference, kind: 'accepted', channel: 'mail', at: ago(3), automatic: true } as const),
      guests: [guest],
    })),
    { event_id: cancelled, kind: 'invitation', channel: 'mail', at: ago(20), guests: of(cancelled) },
    {
      event_id: cancelled,
      kind: 'cancellation',
      channel: 'mail',
      at: ago(2),
      guests: of(cancelled),
      not: declined,
    },
    ...completed.flatMap((event_id): SentRound[] => {
      const date = dates.get(event_id) ?? ago(35);
      const rest = { event_id, channel: 'mail', guests: of(event_id), not: notComing } as const;
      return [
        { ...rest, kind: 'see_you', at: date.subtract({ hours: DAY_HOURS }), automatic: true },
        { ...rest, kind: 'thanks', at: date.add({ hours: 2 * DAY_HOURS }) },
      ];
    }),
  ];
  tellings.sort((one, other) => Temporal.Instant.compare(one.at, other.at));
  // Rounds are listed in the order of their ids. Ids that are made within one millisecond have a random order, so they
  // are sorted.
  const ids = tellings.map(() => newId()).sort();
  const told = tellings.map((telling, index) => rowsOfRound(ids[index] ?? '', telling, organizerId, now));
  const move = {
    event_id: conference,
    at: moved.toString(),
    actor_kind: 'organizer',
    actor_id: organizerId,
    subject: 'event',
    subject_id: conference,
    action: 'changed',
    changes: { venue_name: { from: FORMER_HALL, to: 'Expo Tel Aviv, Pavilion 10' } },
  };
  return {
    rounds: told.map(({ round }) => round),
    mails: told.flatMap(({ mails }) => mails),
    roundGuests: told.flatMap(({ roundGuests }) => roundGuests),
    history: [move, ...told.map(({ line }) => line)].toSorted(byTime),
  };
}

function rowsOfRound(id: string, telling: SentRound, organizerId: string, now: Temporal.Instant) {
  const { event_id, kind, channel, automatic = false, guests, not, still } = telling;
  const begun_at = telling.at.toString();
  const mails: ReturnType<typeof mailOf>[] = [];
  const told_as_of = rulesOfKind(kind).tellsTimeAndPlace ? now.toString() : null;
  const roundGuests = guests.map((guest) => {
    const isReached = channel === 'mail' ? guest.email !== null : guest.phone !== null;
    const why = not?.(guest) ?? (isReached ? undefined : channel === 'mail' ? 'no_email' : 'no_phone');
    if (why) return leftOutRow(id, guest.id, why);
    if (still?.has(guest)) return { ...writtenRow(id, guest.id), status: 'waiting' };
    if (channel === 'by_hand') return { ...writtenRow(id, guest.id), sent_at: begun_at, told_as_of };
    const mail = mailOf(begun_at, mails.length % 40 === 21);
    mails.push(mail);
    return { ...writtenRow(id, guest.id), message_id: mail.id, told_as_of };
  });
  const by = automatic
    ? { actor_kind: 'system', actor_id: null }
    : { actor_kind: 'organizer', actor_id: organizerId };
  return {
    round: { id, event_id, kind, channel, automatic, begun_at, created_at: begun_at, updated_at: begun_at },
    mails,
    roundGuests,
    line: { event_id, at: begun_at, ...by, subject: 'round', subject_id: id, action: 'sent', changes: null },
  };
}

function isBefore(at: string, then: Temporal.Instant): boolean {
  return Temporal.Instant.compare(Temporal.Instant.from(at), then) < 0;
}

function byTime(one: { at: string }, other: { at: string }): number {
  return Temporal.Instant.compare(Temporal.Instant.from(one.at), Temporal.Instant.from(other.at));
}

function mailOf(at: string, bounced: boolean) {
  return {
    id: newId(),
    status: bounced ? 'refused' : 'sent',
    problem: bounced ? { code: 'refused', status: 550, step: 'RCPT TO' } : null,
    created_at: at,
    due_at: at,
    settled_at: at,
  };
}

function writtenRow(round_id: string, guest_id: string) {
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

function leftOutRow(round_id: string, guest_id: string, why: string) {
  return { ...writtenRow(round_id, guest_id), status: 'left_out', left_out: why };
}
