import { type Static, Type } from 'typebox';
import { dateTime, oneOf, pageQuery, ref, uuid } from '../../kernel/http/shapes.ts';
import { idempotencyHeader } from '../../kernel/writes/idempotency.ts';
import { etagHeader, ifMatchHeader } from '../../kernel/writes/preconditions.ts';
import {
  deleteErrors,
  eventParam,
  headersOf,
  ofReadableEvent,
  ofWritableEvent,
  organizerRoute,
  postErrors,
  putErrors,
  readErrors,
} from '../events/area.ts';
import { ListedEvent } from '../events/contract.ts';

/** What a co-organizer may do: look, or change everything but the sharing itself and the event's end by deletion. */
export const ACCESSES = ['view', 'edit'] as const;

/** How many people an event can be shared with. */
export const MOST_CO_ORGANIZERS = 50;

export const CoOrganizer = Type.Object(
  {
    id: uuid(),
    email: Type.String({ format: 'email', description: 'In small letters: the address they sign in with.' }),
    access: oneOf(ACCESSES),
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  {
    $id: 'CoOrganizer',
    examples: [
      {
        id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a46',
        email: 'itai@example.com',
        access: 'edit',
        created_at: '2026-11-21T08:00:00.000Z',
        updated_at: '2026-11-21T08:00:00.000Z',
      },
    ],
  },
);
export type CoOrganizer = Static<typeof CoOrganizer>;

export const SharedEvent = Type.Object(
  { event: ref(ListedEvent), access: oneOf(ACCESSES) },
  { $id: 'SharedEvent' },
);

const common = { ...organizerRoute, tags: ['co-organizers'] };
const params = Type.Object({
  ...eventParam.properties,
  coOrganizerId: Type.String({ description: 'A UUID; anything else is a 404.' }),
});
const access = oneOf(ACCESSES, { default: 'view' });

export const listSchema = {
  ...common,
  operationId: 'listCoOrganizers',
  summary: 'List an event’s co-organizers',
  params: eventParam,
  response: {
    200: Type.Object(
      { co_organizers: Type.Array(ref(CoOrganizer)) },
      { description: 'All of them, by age.' },
    ),
  },
  errors: readErrors(ofReadableEvent),
};

export const inviteSchema = {
  ...common,
  operationId: 'inviteCoOrganizer',
  summary: 'Share an event',
  description:
    'Its organizer only. Whoever signs in with this address sees the event from then on, and edits it if told so; ' +
    'there is nothing to accept, and a mail tells them so. At most 60 a quarter hour.',
  params: eventParam,
  headers: headersOf(idempotencyHeader),
  body: Type.Object(
    { email: Type.String({ format: 'email', maxLength: 254 }), access: Type.Optional(access) },
    { examples: [{ email: 'itai@example.com', access: 'edit' }] },
  ),
  response: {
    201: Type.Object({ co_organizer: ref(CoOrganizer) }, { description: 'Shared.', headers: etagHeader }),
  },
  errors: postErrors({ ...ofWritableEvent, 409: 'It is shared with this address already.' }),
};

export const changeSchema = {
  ...common,
  operationId: 'changeCoOrganizer',
  summary: 'Change what a co-organizer may do',
  description: 'The event’s organizer only.',
  params,
  headers: headersOf(ifMatchHeader),
  body: Type.Object({ access: oneOf(ACCESSES) }, { examples: [{ access: 'view' }] }),
  response: {
    200: Type.Object({ co_organizer: ref(CoOrganizer) }, { description: 'Changed.', headers: etagHeader }),
  },
  errors: putErrors(ofWritableEvent),
};

export const removeSchema = {
  ...common,
  operationId: 'removeCoOrganizer',
  summary: 'End the sharing with one co-organizer',
  description: 'The event’s organizer, or the co-organizer about themself; for cancelled events too.',
  params,
  headers: headersOf(ifMatchHeader),
  response: {
    204: Type.Null({ description: 'No longer shared.' }),
  },
  errors: deleteErrors({ 403: true, 404: true }),
};

export const sharedWithMeSchema = {
  ...common,
  operationId: 'listSharedEvents',
  summary: 'List the events others share with the caller',
  description: 'By date, events without one last. Empty for a token without a verified `email`.',
  querystring: Type.Object(pageQuery),
  response: {
    200: Type.Object(
      {
        events: Type.Array(ref(SharedEvent)),
        total: Type.Integer({ description: 'How many there are in all.' }),
        page: Type.Integer(),
        limit: Type.Integer(),
      },
      { description: 'A page of events.' },
    ),
  },
  errors: readErrors(),
};
