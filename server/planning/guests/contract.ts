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
    maybe: Type.Boolean({ description: 'The guest doesn’t know yet; `rsvp_status` is then `pending`.' }),
    coming: Type.Integer({ description: 'People who come or, on the waiting list, would come.' }),
    coming_children: Type.Integer({ description: 'Children among them.' }),
    waiting_since: dateTimeOrNullSchema(
      'Set while the guest is on the waiting list after a yes; `rsvp_status` is then `pending`.',
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
    rsvp_confirmed: Type.Integer({ description: 'Guests who said yes and have places.' }),
    rsvp_pending: Type.Integer({
      description:
        'Guests without a yes or no: those without an answer, those who say maybe, and those on the waiting list.',
    }),
    rsvp_declined: Type.Integer(),
    rsvp_total: Type.Integer(),
    maybe: Type.Integer({ description: 'Pending guests who answered maybe.' }),
    waiting: Type.Integer({ description: 'Pending guests on the waiting list.' }),
    invited: Type.Integer({ description: 'People invited, whatever the guests answered.' }),
    people: Type.Integer({ description: 'People who come.' }),
    children: Type.Integer({ description: 'Children among them.' }),
    plus_ones: Type.Integer({ description: 'Plus-ones among them, beyond their invited parties.' }),
    held: Type.Integer({
      description: 'People with a place held until they confirm by mail.',
    }),
    places_left: orNullSchema<number>({
      type: 'integer',
      description:
        'Free places under `max_guests` and `venue_capacity`, without those held; negative if a limit was lowered later; null: no limit.',
    }),
    plus_ones_left: Type.Integer({ description: 'Free places under `max_plus_ones_buffer`.' }),
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
        held: 0,
        places_left: 2,
        plus_ones_left: 18,
      },
    ],
  },
);
export type GuestCounts = Static<typeof GuestCounts>;

export const GUEST_WARNINGS = ['waits', 'fewer', 'meals', 'plus_ones'] as const;
export const GuestWarning = warningOf(
  'GuestWarning',
  GUEST_WARNINGS,
  '`waits`: the guest is on the waiting list. `fewer`: the invited people have places, their plus-ones do not. ' +
    '`meals`: there are more special meals than people coming; one meal a person is counted. ' +
    '`plus_ones`: the guest comes with more people than were invited.',
);
export type GuestWarning = Static<typeof GuestWarning>;

/** Schema of the warnings that a response has next to the guest. */
export const guestWarnings = warningsAs(GuestWarning);

export const sharedSchemas = [Guest, GuestCounts, GuestWarning];

const tags = ['guests'];
export const guestParams = eventRecordParams('guestId', 'Id of the guest, a UUID. Anything else is a 404.');

const guests = eventRecordFrames({ tags, key: 'guest', params: guestParams, record: Guest });

const ALREADY_THERE = 'Another guest has this phone number or email.';
const placesRule =
  'A yes gets places if enough are free under `max_guests`, `venue_capacity` and the limits of plus-ones. If they are ' +
  'enough for the invited people alone, these get places; otherwise the guest joins the waiting list and moves up once ' +
  'places are free. `warnings` tell which. With `over_limit` all of them get places.';

/** Response with the stored guest and warnings, for example that fewer places were granted than requested. */
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
    description: 'A `page` or `limit` that is not a positive integer takes its default.',
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
      409: `${ALREADY_THERE} Or a yes asks for more places than are free: \`up_to\` is the number of people who can come, \`may_bring\` the guest’s limit of plus-ones if that is the reason.`,
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
    'Their answer and links are removed as well, and their places go to the waiting list. They can be restored for 30 days.',
});
