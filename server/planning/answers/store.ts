import { type Kysely, sql } from 'kysely';
import { constantSql } from '../../kernel/database/offline.ts';
import { assignColumns } from '../../kernel/database/rows.ts';
import type { ValuesOf } from '../../kernel/field-types.ts';
import type { AgendaItem } from '../agenda/contract.ts';
import { agendaOfEvent } from '../agenda/store.ts';
import type { KASHRUT_LEVELS } from '../events/fields.ts';
import type { EventStatus } from '../events/lifecycle.ts';
import { currentVenueField } from '../events/place.ts';
import type { EventWrite, WriteEntry } from '../events/write.ts';
import { type AnsweredGuest, guestWithRsvp, largestPartyNow } from '../guests/capacity/allocation.ts';
import {
  type EventCapacity,
  type FreePlaces,
  type InvitedParty,
  type Occupancy,
  placesLeft,
  plusOnesAllowed,
} from '../guests/capacity/capacity.ts';
import { findCapacity, readCapacity } from '../guests/capacity/waiting-list.ts';
import type { Guest } from '../guests/contract.ts';
import { type GuestDetails, LARGEST_PARTY, ownFields } from '../guests/fields.ts';
import { lockGuestAndEvent, requireGuest, type StoredGuest } from '../guests/rows.ts';
import type { EventInvitation } from '../invitation/contract.ts';
import type { MapPlace } from '../invitation/maps.ts';
import type { StoredPicture } from '../invitation/picture/store.ts';
import type { EventWording } from '../invitation/words.ts';
import type { GuestQuestion as AskedQuestion } from '../questions/answers.ts';
import type { HebrewDateSource } from './hebrew-date.ts';
import { hashOf, isToken } from './personal-links.ts';

/** Event data that guests may see. */
export interface InvitedEvent extends EventWording, MapPlace, Reached, HebrewDateSource {
  id: string;
  lasts_minutes: number | null;
  kashrut_level: (typeof KASHRUT_LEVELS)[number];
  /** Items of the event's agenda, in order of time. */
  agenda: AgendaEntry[];
  picture: Omit<StoredPicture, 'created_at'> | null;
  status: EventStatus;
  answer_until: Date | null;
  children_asked: boolean;
  /** Number of people whom each guest may bring beyond the party; null if only the number of free places limits it. */
  plus_ones_each: number | null;
  /** True if the event asks guests about meals and allergies. */
  food_asked: boolean;
  /** True if the event asks guests for the names of the people who come. */
  names_asked: boolean;
  /** Questions that the event asks at present; questions that the organizer has removed are not included. */
  questions: AskedQuestion[];
  /** Number of times that the event was changed so far. */
  sequence: number;
}

/** Item of an event's agenda as guests see it. */
interface AgendaEntry extends Pick<AgendaItem, 'title' | 'speaker' | 'place' | 'description'> {
  starts_at: Date;
  ends_at: Date | null;
}

/** Contact of the event's hosts, and the event's livestream link. */
type Reached = Pick<EventInvitation, 'contact_phone' | 'contact_email' | 'online_url'>;

/** Data about a guest that their own personal link shows. */
export interface InvitedGuest
  extends Pick<GuestDetails, 'name' | 'language' | 'party_size' | 'party_children' | keyof OwnDetails> {
  id: string;
  coming: number;
  coming_children: number;
  rsvp_status: Guest['rsvp_status'];
  maybe: boolean;
  waiting: boolean;
  /** Largest number of people with whom the guest could get places now; null if only the usual maximum limits it. */
  up_to: number | null;
  /** Number of people whom the guest may bring beyond the party; null if only the number of free places limits it. */
  may_bring: number | null;
  unsubscribed: boolean;
}

type OwnDetails = ValuesOf<typeof ownFields>;

/** Columns of a guest's row that the guest's personal link shows. */
const SHOWN_TO_GUEST = [
  'name',
  'language',
  'party_size',
  'party_children',
  ...(Object.keys(ownFields) as (keyof OwnDetails)[]),
  'rsvp_status',
  'maybe',
  'coming',
  'coming_children',
] as const;

/** SQL for a guest's data as JSON. */
const invitedGuestJson = constantSql(sql`
  json_build_object(
    'id', guests.id,
    ${sql.join(SHOWN_TO_GUEST.map((field) => sql`${sql.lit(field)}, ${sql.ref(`guests.${field}`)}`))},
    'waiting', guests.waiting_order is not null, 'unsubscribed', guests.unsubscribed_at is not null
  )`);

export interface GuestInvitation {
  event: InvitedEvent;
  guest: InvitedGuest;
}

/** Finds the guest and event of a personal link; undefined if the token is not valid. */
export async function findInvitation(
  db: Kysely<unknown>,
  token: string,
): Promise<GuestInvitation | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await sql<Found>`
    select
      ${invitedGuestJson} as guest,
      ${invitedEventJson} as event,
      guests.max_plus_ones, settings.plus_ones_each,
      events.max_guests, events.venue_capacity, events.max_plus_ones_buffer,
      tally.people, tally.plus_ones, tally.held
    from guest_links link
    join guests on guests.id = link.guest_id
    join events on events.id = guests.event_id and events.deleted_at is null
    join event_tallies tally on tally.event_id = events.id
    left join rsvp_settings settings on settings.event_id = events.id
    left join invitations invitation on invitation.event_id = events.id
    where link.token_hash = ${hashOf(token)}`.execute(db);
  return rows[0] && invitationOf(rows[0]);
}

type Found = { event: InvitedEvent; guest: Omit<InvitedGuest, 'up_to' | 'may_bring'> } & Occupancy &
  Pick<InvitedParty, 'max_plus_ones'>;

function invitationOf({ event, guest, max_plus_ones, ...occupancy }: Found): GuestInvitation {
  const limits = limitsOf({ ...guest, max_plus_ones }, placesLeft(occupancy));
  return { event: parseDates(event), guest: { ...guest, ...limits } };
}

/** Invitation of a guest as it is after their answer. Data that an answer does not change is not read again. */
export async function invitationAfterAnswer(
  db: Kysely<unknown>,
  { event, guest }: GuestInvitation,
  answered: AnsweredGuest,
): Promise<GuestInvitation> {
  const freePlaces = answered.freePlaces ?? (await readCapacity(db, event.id)).freePlaces;
  const shown = Object.fromEntries(SHOWN_TO_GUEST.map((field) => [field, answered.guest[field]]));
  const waiting = answered.guest.waiting_since !== null;
  const limits = limitsOf(guestWithRsvp(answered), freePlaces);
  return { event, guest: { ...guest, ...shown, waiting, ...limits } };
}

function limitsOf(
  guest: Parameters<typeof largestPartyNow>[0],
  room: FreePlaces,
): Pick<InvitedGuest, 'up_to' | 'may_bring'> {
  const most = largestPartyNow(guest, room);
  return {
    up_to: most < LARGEST_PARTY ? most : null,
    may_bring: plusOnesAllowed(guest, room.plusOnesEach),
  };
}

/** Stops mail to a guest, or lets it be sent again. */
export async function setSubscription(
  { transaction, now, note }: EventWrite<{ id: string }>,
  guestId: string,
  isSubscribed: boolean,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update guests set ${assignColumns({ unsubscribed_at: isSubscribed ? null : now })}
    where id = ${guestId} and (unsubscribed_at is null) <> ${isSubscribed}`.execute(transaction);
  if (numAffectedRows > 0n) note('guest', guestId, isSubscribed ? 'subscribed' : 'unsubscribed');
}

/** Event in which a guest answers by their personal link, with the guest as stored. */
export interface AnsweredEvent {
  id: string;
  guest: StoredGuest;
  capacity: EventCapacity | undefined;
}

/**
 * Author and access check of a guest's answer by their personal link. The event's capacity is read after the lock, and
 * in the same round trip.
 */
export function entryOfAnswer({ event, guest }: GuestInvitation): WriteEntry<AnsweredEvent> {
  return {
    eventId: event.id,
    by: { kind: 'guest', id: guest.id },
    enter: async (transaction) => {
      const [locked, capacity] = await Promise.all([
        lockGuestAndEvent(transaction, event.id, guest.id),
        findCapacity(transaction, event.id),
      ]);
      return { id: event.id, guest: requireGuest(locked), capacity };
    },
  };
}

/** Author and access check of another change that a guest makes by their personal link. */
export function entryByLink({ event, guest }: GuestInvitation): WriteEntry<{ id: string }> {
  return { eventId: event.id, by: { kind: 'guest', id: guest.id }, enter: lockForLink(event.id) };
}

/** Locks an event for a change through a link, such as a request through the open link. */
export function lockForLink(eventId: string): (transaction: Kysely<unknown>) => Promise<{ id: string }> {
  return async (transaction) => {
    await sql`select id from events where id = ${eventId} for no key update`.execute(transaction);
    return { id: eventId };
  };
}

/** SQL condition that is true if the event asks about children. `settings` is its row of rsvp_settings, if any. */
export const hasChildrenQuestion = sql<boolean>`coalesce(settings.children, not coalesce(settings.registration, false))`;

/** SQL for an event's data as JSON. `settings` is its row of rsvp_settings, `invitation` its row of invitations. */
export const invitedEventJson = constantSql(sql`
  json_build_object(
    'id', events.id, 'title', events.title, 'event_date', events.event_date, 'venue_name', events.venue_name,
    'venue_address', events.venue_address, 'description', events.description,
    'venue_names', ${currentVenueField('venue_name')}, 'venue_addresses', ${currentVenueField('venue_address')},
    'titles', invitation.title, 'words', invitation.words, 'picture_alt', invitation.picture_alt,
    'agenda', ${agendaOfEvent},
    'picture', (
      select json_build_object('key', key, 'width', width, 'height', height) from pictures
      where event_id = events.id and size = 'large'
    ), 'hosts', invitation.hosts,
    'contact_name', invitation.contact_name, 'contact_phone', invitation.contact_phone,
    'contact_email', invitation.contact_email, 'map', invitation.map,
    'coordinates', ${currentVenueField('coordinates')}, 'hebrew_date', invitation.hebrew_date, 'online_url', invitation.online_url,
    'lasts_minutes', invitation.lasts_minutes, 'language_pref', events.language_pref,
    'kashrut_level', events.kashrut_level,
    'registration', coalesce(settings.registration, false), 'children_asked', ${hasChildrenQuestion}, 'plus_ones_each', settings.plus_ones_each, 'food_asked', coalesce(settings.meals, true), 'names_asked', coalesce(settings.ask_names, false),
    'questions', (
      select coalesce(json_agg(json_build_object(
        'id', id, 'kind', kind, 'text', text, 'options', options, 'most', most, 'asked', asked
      ) order by position), '[]')
      from questions where event_id = events.id and asked
    ),
    'status', events.status, 'answer_until', settings.answer_until,
    'sequence', events.version + coalesce(invitation.version, 0)
  )`);

/** Converts an event's dates, which are texts in JSON, to dates. */
export function parseDates(event: InvitedEvent): InvitedEvent {
  const date = (value: unknown) => (value ? new Date(value as string) : null);
  const agenda = event.agenda.map((item) => ({
    ...item,
    starts_at: new Date(item.starts_at),
    ends_at: date(item.ends_at),
  }));
  return { ...event, event_date: date(event.event_date), answer_until: date(event.answer_until), agenda };
}
