import { type Static, Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { bodyOf, inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { exampleTimes, timestampSchemas, uuidSchema } from '../../kernel/http/shapes.ts';
import { eventRecordFrames, eventRecordParams, savedAnswer, warningOf } from '../events/area.ts';
import { agendaFields } from './fields.ts';

/** Schemas of an event's agenda. */

export const MOST_ITEMS = 200;

export const AgendaItem = Type.Object(
  { id: uuidSchema(), ...outputFields(agendaFields), ...timestampSchemas },
  {
    $id: 'AgendaItem',
    examples: [{ id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2c01', ...exampleOf(agendaFields), ...exampleTimes }],
  },
);
export type AgendaItem = Static<typeof AgendaItem>;

export const AgendaWarning = warningOf(
  'AgendaWarning',
  ['day_before', 'after_the_end'],
  '`day_before`: it starts on the day before the event. `after_the_end`: it starts after the event’s end (`event_end`, else six o’clock on the morning after).',
);
export type AgendaWarning = Static<typeof AgendaWarning>;

const savedItem = savedAnswer(AgendaItem, 'item', AgendaWarning);

const items = eventRecordFrames({
  tags: ['agenda'],
  key: 'item',
  params: eventRecordParams('agendaItemId', 'The item. A UUID; anything else is a 404.'),
  record: AgendaItem,
});

export const listAgendaSchema = items.list(
  {
    operationId: 'listAgenda',
    summary: 'Read an event’s agenda',
    answer: 'All items, by time. Guests see them on their pages.',
  },
  'items',
);

const create = items.create(
  {
    operationId: 'createAgendaItem',
    summary: 'Add to an event’s agenda',
    description: `At most ${MOST_ITEMS} items an event. They move with the event’s date.`,
  },
  bodyOf(agendaFields, {
    additionalProperties: false,
    examples: [{ ...exampleOf(agendaFields), starts_at: '2027-06-15T10:00', ends_at: '2027-06-15T10:45' }],
  }),
);

export const createAgendaItemSchema = { ...create, response: { 201: savedItem('The item as stored.') } };

export const readAgendaItemSchema = items.read({
  operationId: 'readAgendaItem',
  summary: 'Read an item of an agenda',
});

const update = items.replace(
  {
    operationId: 'updateAgendaItem',
    summary: 'Change an item of an agenda',
    description: 'Partial: an absent field keeps its value, null or a blank text clears it.',
  },
  Type.Object(inputFields(agendaFields), {
    additionalProperties: false,
    examples: [{ place: 'אולם ב׳' }],
  }),
);

export const updateAgendaItemSchema = {
  ...update,
  response: { 200: savedItem('The item after the change.') },
};

export const deleteAgendaItemSchema = items.remove({
  operationId: 'deleteAgendaItem',
  summary: 'Remove an item from an agenda',
});
