import { type Static, Type } from 'typebox';
import { LARGEST_INTEGER } from '../../kernel/fields.ts';
import { named, nowhere, pageOf, queryOf } from '../../kernel/http/resource.ts';
import {
  dateTime,
  dateTimeOrNull,
  oneOf,
  orNull,
  pageQuery,
  ref,
  textOrNull,
  uuid,
} from '../../kernel/http/shapes.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { etagHeader } from '../../kernel/writes/preconditions.ts';
import { EventError, eventParam, ofEvent, organizer, versioned } from './area.ts';
import { STATUSES } from './lifecycle.ts';

/** The shapes of the event API: one schema each serializes, documents and types. */

export const KASHRUT_LEVELS = ['none', 'regular', 'mehadrin', 'chalav_yisrael'] as const;

export const DEFAULTS = {
  max_plus_ones_buffer: 30,
  kashrut_level: 'none',
  noise_curfew_time: '23:00',
  language_pref: 'hebrew',
  retention_policy_days: 365,
} as const;

/** The longest texts we keep, in UTF-16 units. */
export const LENGTHS = { title: 300, venue_name: 300, venue_address: 500, description: 10_000 } as const;

const whole = { type: 'integer', minimum: 0, maximum: LARGEST_INTEGER };

const example = {
  id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  organizer_id: 'me',
  title: 'החתונה של נועה ואיתי',
  event_date: '2027-06-15T16:30:00.000Z',
  venue_name: 'גן האירועים עדן',
  venue_address: 'דרך השרון 12, הוד השרון',
  description: 'חופה בשקיעה, ריקודים עד הלילה',
  max_guests: 320,
  venue_capacity: 400,
  max_plus_ones_buffer: 30,
  kashrut_level: 'mehadrin',
  noise_curfew_time: '23:00',
  language_pref: 'hebrew',
  budget: 185000,
  retention_policy_days: 365,
  status: 'draft',
  compliance_dismissed: false,
  created_at: '2026-11-21T08:00:00.000Z',
  updated_at: '2026-11-21T08:00:00.000Z',
  deleted_at: null,
};
const exampleCounts = { rsvp_confirmed: 212, rsvp_pending: 80, rsvp_total: 310, vendors_confirmed: 5 };

const eventFields = {
  id: uuid(),
  organizer_id: Type.String({ description: 'The `sub` of the organizer’s token.' }),
  title: Type.String(),
  event_date: dateTimeOrNull('An instant, in UTC; null on older events only.'),
  venue_name: Type.String(),
  venue_address: textOrNull(),
  description: textOrNull(),
  max_guests: orNull<number>({ type: 'integer' }),
  venue_capacity: orNull<number>({ type: 'integer' }),
  max_plus_ones_buffer: Type.Integer(),
  kashrut_level: oneOf(KASHRUT_LEVELS),
  noise_curfew_time: Type.String({ description: '`HH:MM`, in Israel’s time.' }),
  language_pref: oneOf(LANGUAGE_NAMES),
  budget: orNull<number>({ type: 'number', description: 'New shekels, at most two decimals.' }),
  retention_policy_days: Type.Integer(),
  status: oneOf(STATUSES),
  compliance_dismissed: Type.Boolean(),
  created_at: dateTime(),
  updated_at: dateTime(),
  deleted_at: dateTimeOrNull('Always null here: deleted events are not shown.'),
};
const listCounts = {
  rsvp_confirmed: Type.Integer({ description: 'Guests who said yes.' }),
  rsvp_pending: Type.Integer({ description: 'Guests who have not answered.' }),
  rsvp_total: Type.Integer({ description: 'All guests.' }),
  vendors_confirmed: Type.Integer({ description: 'Confirmed bookings.' }),
};
const counts = { ...listCounts, rsvp_declined: Type.Integer({ description: 'Guests who said no.' }) };

export const Event = Type.Object(eventFields, { $id: 'Event', examples: [example] });
export const ListedEvent = Type.Object(
  { ...eventFields, ...listCounts },
  { $id: 'ListedEvent', examples: [{ ...example, ...exampleCounts }] },
);
export const CountedEvent = Type.Object(
  { ...eventFields, ...counts },
  { $id: 'CountedEvent', examples: [{ ...example, ...exampleCounts, rsvp_declined: 18 }] },
);
export type Event = Static<typeof Event>;
export type ListedEvent = Static<typeof ListedEvent>;
export type CountedEvent = Static<typeof CountedEvent>;

export const sharedSchemas = [Event, ListedEvent, CountedEvent, EventError];
const checklist = Type.Optional(
  Type.Unsafe<true>({
    type: 'boolean',
    enum: [true],
    description: 'Present, and true, when the compliance checklist should be shown; else absent.',
  }),
);

// Bodies are described here and judged in input.ts: the contract fixes the order of the checks and what
// counts as "not given", which a schema can't say.
const optionalFields = {
  venue_address: Type.Optional(textOrNull({ maxLength: LENGTHS.venue_address })),
  description: Type.Optional(textOrNull({ maxLength: LENGTHS.description })),
  max_guests: Type.Optional(orNull<number>(whole)),
  venue_capacity: Type.Optional(orNull<number>(whole)),
  max_plus_ones_buffer: Type.Optional(orNull<number>(whole)),
  kashrut_level: Type.Optional(oneOf(KASHRUT_LEVELS)),
  noise_curfew_time: Type.Optional(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })),
  language_pref: Type.Optional(oneOf(LANGUAGE_NAMES)),
  budget: Type.Optional(orNull<number>({ type: 'number', minimum: 0, maximum: 9_999_999_999.99 })),
  compliance_dismissed: Type.Optional(Type.Boolean()),
};
const title = Type.String({ minLength: 1, maxLength: LENGTHS.title });
const venueName = Type.String({ minLength: 1, maxLength: LENGTHS.venue_name });
const eventDate = Type.String({
  description: 'ISO 8601. Without an offset it is wall time in Israel. Not in the past.',
});
const exampleBody = {
  title: example.title,
  event_date: '2027-06-15T19:30',
  venue_name: example.venue_name,
  max_guests: 320,
  kashrut_level: 'mehadrin',
  budget: 185000,
};

const events = organizer.resource({
  tags: ['events'],
  called: 'event',
  within: nowhere,
  params: eventParam,
  record: CountedEvent,
  errors: ofEvent,
  shown: versioned(CountedEvent, 'event'),
});

export const createSchema = organizer.post({
  tags: ['events'],
  operationId: 'createEvent',
  summary: 'Create an event',
  description:
    'Organizers only. The checks run in the order title, event_date, venue_name, then their values, then the rest.',
  body: named(
    'NewEvent',
    Type.Object(
      {
        title,
        event_date: eventDate,
        venue_name: venueName,
        ...optionalFields,
        retention_policy_days: Type.Optional(orNull<number>(whole)),
      },
      { examples: [exampleBody] },
    ),
  ),
  response: {
    201: Type.Object(
      { event: ref(Event), compliance_checklist: checklist },
      { title: 'StoredEvent', description: 'The event as stored.', headers: etagHeader },
    ),
  },
  errors: { 403: 'Only the role `organizer` may.' },
});

export const listSchema = organizer.get({
  tags: ['events'],
  operationId: 'listEvents',
  summary: 'List one’s events',
  description: 'By date, events without one last. What is not a positive integer takes its default.',
  querystring: queryOf({
    ...pageQuery,
    status: oneOf(STATUSES, { description: 'Another value is ignored.' }),
  }),
  response: { 200: pageOf(ListedEvent, 'events', 'A page of events.') },
});

export const readSchema = events.read({
  operationId: 'readEvent',
  summary: 'Read an event',
  answer: 'The event and its counts.',
});

export const updateSchema = organizer.put({
  tags: ['events'],
  operationId: 'updateEvent',
  summary: 'Change an event',
  description:
    'Partial: a field that is absent, null, 0, false or blank keeps its stored value, except a 0 of max_plus_ones_buffer. ' +
    'An unknown kashrut_level or language_pref is a 500 that writes nothing.',
  params: eventParam,
  body: named(
    'EventChanges',
    Type.Object(
      {
        title: Type.Optional(title),
        event_date: Type.Optional(eventDate),
        venue_name: Type.Optional(venueName),
        ...optionalFields,
        status: Type.Optional(oneOf(STATUSES)),
      },
      { examples: [{ status: 'published' }, { venue_capacity: 450, max_plus_ones_buffer: 0 }] },
    ),
  ),
  response: {
    200: Type.Object(
      { event: ref(CountedEvent), compliance_checklist: checklist },
      {
        title: 'ChangedEvent',
        description: 'The event after the change, and its counts.',
        headers: etagHeader,
      },
    ),
  },
  errors: ofEvent,
});

export const deleteSchema = events.remove({
  operationId: 'deleteEvent',
  summary: 'Delete an event',
  description: 'The event is cancelled and becomes invisible.',
});
