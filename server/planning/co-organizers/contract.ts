import { type Static, Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { bodyOf, outputFields } from '../../kernel/http/field-schemas.ts';
import { pageAnswer, queryOf } from '../../kernel/http/resource.ts';
import { exampleTimes, schemaRef, timestampSchemas, uuidSchema } from '../../kernel/http/shapes.ts';
import { pageQuery } from '../../kernel/paging.ts';
import { eventRecordFrames, eventRecordParams, organizerFrames } from '../events/area.ts';
import { ListedEvent } from '../events/contract.ts';
import { accessField, coOrganizerFields } from './fields.ts';

/** Maximum number of people with whom an event can be shared. */
export const MOST_CO_ORGANIZERS = 50;

const example = exampleOf(coOrganizerFields);

export const CoOrganizer = Type.Object(
  { id: uuidSchema(), ...outputFields(coOrganizerFields), ...timestampSchemas },
  {
    $id: 'CoOrganizer',
    examples: [{ id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a46', ...example, ...exampleTimes }],
  },
);
export type CoOrganizer = Static<typeof CoOrganizer>;

const { access: shownAccess } = outputFields(coOrganizerFields);
export const SharedEvent = Type.Object(
  { event: schemaRef(ListedEvent), access: shownAccess },
  { $id: 'SharedEvent' },
);

const tags = ['co-organizers'];
const coOrganizers = eventRecordFrames({
  tags,
  key: 'co_organizer',
  params: eventRecordParams('coOrganizerId'),
  record: CoOrganizer,
});

export const listCoOrganizersSchema = coOrganizers.list(
  {
    operationId: 'listCoOrganizers',
    summary: 'List an event’s co-organizers',
    answer: 'All of them, in order of invitation.',
  },
  'co_organizers',
);

export const inviteCoOrganizerSchema = coOrganizers.create(
  {
    operationId: 'inviteCoOrganizer',
    summary: 'Share an event',
    description:
      'The event’s organizer only. A user who signs in with this address can see the event at once, or edit it with `access` ' +
      '`edit`; with `view_without_contacts` they see neither contact details of guests nor vendors and budget. They don’t have to accept anything; a mail notifies them. At most 60 invitations in a quarter of an hour.',
    errors: { 409: 'The event is already shared with this address.' },
  },
  bodyOf(coOrganizerFields, { additionalProperties: false, examples: [example] }),
);

export const changeCoOrganizerSchema = coOrganizers.replace(
  {
    operationId: 'changeCoOrganizer',
    summary: 'Change the access of a co-organizer',
    description: 'The event’s organizer only.',
  },
  bodyOf(accessField, { additionalProperties: false, examples: [{ access: 'view' }] }),
);

export const removeCoOrganizerSchema = coOrganizers.remove({
  operationId: 'removeCoOrganizer',
  summary: 'Remove a co-organizer',
  description: 'By the event’s organizer, or by the co-organizer themselves; also for cancelled events.',
});

export const listSharedEventsSchema = organizerFrames.get({
  tags,
  operationId: 'listSharedEvents',
  summary: 'List the events others share with the caller',
  description: 'By date, events without one last. Empty for a token without a verified `email`.',
  querystring: queryOf(pageQuery),
  response: { 200: pageAnswer(SharedEvent, 'events', 'A page of events.') },
});
