import { type Static, Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { bodyOf, inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { recordAnswer } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  enumOrNullSchema,
  enumSchema,
  exampleTimes,
  orNullSchema,
  timestampSchemas,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import {
  eventFrames,
  eventRecordFrames,
  eventRecordParams,
  savedAnswer,
  warningOf,
  warningsAs,
} from '../events/area.ts';
import { guestBodyFields, guestFields, RSVP_STATUSES } from './fields.ts';
import { guestFilter, guestOrder } from './filter.ts';

/** Schemas of the guest API. */

export const ANSWERED_VIA = ['organizer', 'link', 'open_link', 'import'] as const;

const example = {
  id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2b01',
  event_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  ...exampleOf(guestFields),
  rsvp_status: 'confirmed',
  maybe: false,
  coming: 2,
  coming_children: 1,
  waiting_since: null,
  answered_at: '2026-12-01T18:20:00.000Z',
  answered_via: 'link',
  ...exampleTimes,
};

export const Guest = Type.Object(
  {
    id: uuidSchema(),
    event_id: uuidSchema(),
    ...outputFields(guestFields),
    rsvp_status: enumSchema(RSVP_STATUSES),
    maybe: Type.Boolean({ description: 'They don’t know yet; `rsvp_status` is pending then.' }),
    coming: Type.Integer({ description: 'People who come; while waiting, people who would.' }),
    coming_children: Type.Integer({ description: 'How many of them are children.' }),
    waiting_since: dateTimeOrNullSchema(
      'Set while the guest said yes and there is no place yet; `rsvp_status` is pending then.',
    ),
    answered_at: dateTimeOrNullSchema(),
    answered_via: enumOrNullSchema(ANSWERED_VIA),
    ...timestampSchemas,
  },
  { $id: 'Guest', examples: [example] },
);
export type Guest = Static<typeof Guest>;

export const GuestCounts = Type.Object(
  {
    rsvp_confirmed: Type.Integer({ description: 'Guests who said yes and have their places.' }),
    rsvp_pending: Type.Integer({
      description:
        'Guests without a yes or no: those without an answer, those who say maybe, and those on the waiting list.',
    }),
    rsvp_declined: Type.Integer(),
    rsvp_total: Type.Integer(),
    maybe: Type.Integer({ description: 'Those of the pending who don’t know yet.' }),
    waiting: Type.Integer({ description: 'Those of the pending on the waiting list.' }),
    invited: Type.Integer({ description: 'People invited, whatever their guests answered.' }),
    people: Type.Integer({ description: 'People who come.' }),
    children: Type.Integer({ description: 'Those of them who are children.' }),
    plus_ones: Type.Integer({ description: 'Those of them beyond their invited party.' }),
    places_left: orNullSchema<number>({
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
        maybe: 9,
        waiting: 4,
        invited: 482,
        people: 318,
        children: 41,
        plus_ones: 12,
        places_left: 2,
        plus_ones_left: 18,
      },
    ],
  },
);
export type GuestCounts = Static<typeof GuestCounts>;

export const GUEST_WARNINGS = ['waits', 'fewer', 'meals'] as const;
export const GuestWarning = warningOf(
  'GuestWarning',
  GUEST_WARNINGS,
  '`waits`: the yes is on the waiting list. `fewer`: those invited have places, the ones they would bring do not. ' +
    '`meals`: more meals are noted than people come; no more are counted.',
);
export type GuestWarning = Static<typeof GuestWarning>;

/** Warnings in an answer beside a guest. */
export const guestWarnings = warningsAs(GuestWarning);

export const sharedSchemas = [Guest, GuestCounts, GuestWarning];

const tags = ['guests'];
export const guestParams = eventRecordParams('guestId', 'The guest. A UUID; anything else is a 404.');

const guests = eventRecordFrames({ tags, key: 'guest', params: guestParams, record: Guest });

const ALREADY_THERE = 'Another guest has this phone number or email.';
const placesRule =
  'A yes gets its places where there are enough under `max_guests`, `venue_capacity` and the limits of plus-ones; where ' +
  'there are enough for those invited alone, these do; else the guest waits, in order, and moves up as soon as there are. ' +
  '`warnings` say which. `over_limit` seats them all.';

/** Answer with the stored guest and warnings, for example about a yes that was granted in part. */
export const savedGuest = savedAnswer(Guest, 'guest', GuestWarning);

const create = guests.create(
  {
    operationId: 'createGuest',
    summary: 'Add a guest',
    description: placesRule,
    errors: { 409: ALREADY_THERE },
  },
  bodyOf(guestBodyFields, {
    additionalProperties: false,
    examples: [{ ...exampleOf(guestFields), phone: '050-123-4567' }],
  }),
);
export const createGuestSchema = { ...create, response: { 201: savedGuest('The guest as stored.') } };

export const listGuestsSchema = guests.page(
  {
    operationId: 'listGuests',
    summary: 'List an event’s guests',
    description: 'What is not a positive integer in `page` or `limit` takes its default.',
  },
  'guests',
  { ...guestFilter, ...guestOrder },
);

export const countsSchema = eventFrames(tags).get(
  { operationId: 'countGuests', summary: 'Count an event’s guests and places' },
  recordAnswer(GuestCounts, 'counts', 'As of now.'),
);

export const readGuestSchema = guests.read({ operationId: 'readGuest', summary: 'Read a guest' });

const update = guests.replace(
  {
    operationId: 'updateGuest',
    summary: 'Change a guest',
    description: `Partial: an absent field keeps its value, null or a blank text empties it. ${placesRule}`,
    errors: {
      409: `${ALREADY_THERE} Or a yes asks for more places than are left: \`up_to\` says for how many people there are.`,
    },
  },
  Type.Object(inputFields(guestBodyFields), {
    additionalProperties: false,
    examples: [{ rsvp_status: 'confirmed', coming: 2 }, { note: null }],
  }),
);
export const updateGuestSchema = { ...update, response: { 200: savedGuest('The guest after the change.') } };

export const deleteGuestSchema = guests.remove({
  operationId: 'deleteGuest',
  summary: 'Remove a guest',
  description:
    'With their answer and their links; their places go to those who wait. For 30 days they can be brought back.',
});
