import { type Static, Type } from 'typebox';
import { one } from '../../kernel/http/resource.ts';
import {
  dateTime,
  dateTimeOrNull,
  oneOf,
  oneOfOrNull,
  orNull,
  textOrNull,
  uuid,
} from '../../kernel/http/shapes.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { eventParam, inEvent, ofEvent, organizer, versioned } from '../events/area.ts';
import { KASHRUT_LEVELS } from '../events/contract.ts';

/** The shapes of the guest API. */

export const RSVP_STATUSES = ['confirmed', 'pending', 'declined'] as const;
export const ANSWERED_VIA = ['organizer', 'link', 'open_link', 'import'] as const;
export const DIETS = ['vegetarian', 'vegan', 'allergies', ...KASHRUT_LEVELS] as const;
export const ORDERS = ['name', 'answered', 'waiting'] as const;

/** The longest texts we keep, in UTF-16 units, and the largest numbers. */
export const LENGTHS = { name: 200, email: 254, allergies: 500, note: 2000, message: 2000 } as const;
export const LARGEST_PARTY = 100;
export const TAGS = { most: 20, longest: 50 } as const;

const example = {
  id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2b01',
  event_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  name: 'משפחת כהן',
  phone: '+972501234567',
  email: 'cohen@example.com',
  tags: ['צד הכלה', 'עבודה'],
  language: 'hebrew',
  party_size: 2,
  coming: 2,
  kashrut_level: 'mehadrin',
  vegetarian: false,
  vegan: false,
  allergies: 'אגוזים',
  note: null,
  message: 'מזל טוב!',
  rsvp_status: 'confirmed',
  waiting_since: null,
  answered_at: '2026-12-01T18:20:00.000Z',
  answered_via: 'link',
  created_at: '2026-11-21T08:00:00.000Z',
  updated_at: '2026-12-01T18:20:00.000Z',
};

export const Guest = Type.Object(
  {
    id: uuid(),
    event_id: uuid(),
    name: Type.String(),
    phone: textOrNull({ description: 'E.164.' }),
    email: textOrNull({ description: 'In small letters.' }),
    tags: Type.Array(Type.String(), { description: 'Side, group, table: any texts.' }),
    language: textOrNull({ description: 'null: the event’s.' }),
    party_size: Type.Integer({ description: 'People invited, the guest included.' }),
    coming: Type.Integer({ description: 'People who come; while waiting, people who would.' }),
    kashrut_level: textOrNull(),
    vegetarian: Type.Boolean(),
    vegan: Type.Boolean(),
    allergies: textOrNull(),
    note: textOrNull({ description: 'The organizer’s own; the guest never sees it.' }),
    message: textOrNull({ description: 'The guest’s word to the hosts.' }),
    rsvp_status: oneOf(RSVP_STATUSES),
    waiting_since: dateTimeOrNull(
      'Set while the guest said yes and there is no place yet; `rsvp_status` is pending then.',
    ),
    answered_at: dateTimeOrNull(),
    answered_via: oneOfOrNull(ANSWERED_VIA),
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { $id: 'Guest', examples: [example] },
);
export type Guest = Static<typeof Guest>;

export const GuestCounts = Type.Object(
  {
    rsvp_confirmed: Type.Integer({ description: 'Guests who said yes and have their places.' }),
    rsvp_pending: Type.Integer({ description: 'Guests without an answer, or on the waiting list.' }),
    rsvp_declined: Type.Integer(),
    rsvp_total: Type.Integer(),
    waiting: Type.Integer({ description: 'Guests on the waiting list.' }),
    people: Type.Integer({ description: 'People who come.' }),
    plus_ones: Type.Integer({ description: 'Those of them beyond their invited party.' }),
    places_left: orNull<number>({
      type: 'integer',
      description:
        'By `max_guests` and `venue_capacity`, below zero where they were lowered; null: no limit.',
    }),
    plus_ones_left: Type.Integer({ description: 'By `max_plus_ones_buffer`.' }),
  },
  {
    $id: 'GuestCounts',
    examples: [
      {
        rsvp_confirmed: 212,
        rsvp_pending: 80,
        rsvp_declined: 18,
        rsvp_total: 310,
        waiting: 4,
        people: 318,
        plus_ones: 12,
        places_left: 2,
        plus_ones_left: 18,
      },
    ],
  },
);
export type GuestCounts = Static<typeof GuestCounts>;

export const sharedSchemas = [Guest, GuestCounts];

const party = { type: 'integer', minimum: 1, maximum: LARGEST_PARTY };
const fields = {
  phone: Type.Optional(
    textOrNull({
      maxLength: 40,
      description: 'In any usual form; without a country code it is Israeli. One guest a number.',
    }),
  ),
  email: Type.Optional(textOrNull({ maxLength: LENGTHS.email, description: 'One guest an address.' })),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: TAGS.longest }), {
      maxItems: TAGS.most,
    }),
  ),
  language: Type.Optional(oneOfOrNull(LANGUAGE_NAMES)),
  party_size: Type.Optional(Type.Unsafe<number>({ ...party, default: 1 })),
  kashrut_level: Type.Optional(oneOfOrNull(KASHRUT_LEVELS)),
  vegetarian: Type.Optional(Type.Boolean()),
  vegan: Type.Optional(Type.Boolean()),
  allergies: Type.Optional(textOrNull({ maxLength: LENGTHS.allergies })),
  note: Type.Optional(textOrNull({ maxLength: LENGTHS.note })),
  message: Type.Optional(textOrNull({ maxLength: LENGTHS.message })),
  rsvp_status: Type.Optional(oneOf(RSVP_STATUSES, { default: 'pending' })),
  coming: Type.Optional(
    Type.Unsafe<number>({ ...party, description: 'With a yes only; party_size unless given.' }),
  ),
};
const name = Type.String({ minLength: 1, maxLength: LENGTHS.name });

const tags = ['guests'];
export const guestParams = inEvent('guestId', 'The guest. A UUID; anything else is a 404.');

const guests = organizer.resource({
  tags,
  called: 'guest',
  within: eventParam,
  params: guestParams,
  record: Guest,
  errors: ofEvent,
  shown: versioned(Guest, 'guest'),
});

const ALREADY_THERE = 'Another guest has this phone number or email.';
const placesRule =
  'A yes gets its places where there are enough under `max_guests`, `venue_capacity` and `max_plus_ones_buffer`; ' +
  'else the guest waits, in order, and moves up as soon as there are.';

export const createGuestSchema = guests.create(
  {
    operationId: 'createGuest',
    summary: 'Add a guest',
    description: placesRule,
    errors: { 409: ALREADY_THERE },
  },
  Type.Object(
    { name, ...fields },
    {
      examples: [
        { name: example.name, phone: '050-123-4567', party_size: 2, tags: example.tags, language: 'hebrew' },
      ],
    },
  ),
);

/** The filters that choose guests of an event, wherever they are chosen. */
export const guestFilter = {
  search: Type.String({
    description: 'A part of a name or a phone number; niqqud and capitals don’t matter.',
  }),
  status: oneOf([...RSVP_STATUSES, 'waiting'], { description: 'Another value is ignored.' }),
  tag: Type.String(),
  diet: oneOf(DIETS, { description: 'Another value is ignored.' }),
};

export const listGuestsSchema = guests.page(
  {
    operationId: 'listGuests',
    summary: 'List an event’s guests',
    description: 'What is not a positive integer in `page` or `limit` takes its default.',
  },
  'guests',
  {
    ...guestFilter,
    order: oneOf(ORDERS, {
      default: 'name',
      description:
        'By name; `answered`: the latest answer first, those without one last; `waiting`: the waiting list in its order.',
    }),
  },
);

export const countsSchema = organizer.get({
  tags,
  operationId: 'countGuests',
  summary: 'Count an event’s guests and places',
  params: eventParam,
  response: { 200: one(GuestCounts, 'counts', 'As of now.') },
  errors: ofEvent,
});

export const readGuestSchema = guests.read({ operationId: 'readGuest', summary: 'Read a guest' });

export const updateGuestSchema = guests.replace(
  {
    operationId: 'updateGuest',
    summary: 'Change a guest',
    description: `Partial: an absent field keeps its value, null or a blank text empties it. ${placesRule}`,
    errors: { 409: `${ALREADY_THERE} Or a yes asks for more places than are left.` },
  },
  Type.Object(
    { name: Type.Optional(name), ...fields },
    { examples: [{ rsvp_status: 'confirmed', coming: 2 }, { note: null }] },
  ),
);

export const deleteGuestSchema = guests.remove({
  operationId: 'deleteGuest',
  summary: 'Remove a guest',
  description: 'With their answer and their links; their places go to those who wait.',
});
