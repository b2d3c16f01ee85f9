import { type Static, Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { eventParam, eventRecordFrames } from '../events/area.ts';
import { noticeFields } from './fields.ts';

/** Schemas of the settings of automatic messages. */

export const EventNotices = Type.Object(outputFields(noticeFields), {
  $id: 'EventNotices',
  examples: [exampleOf(noticeFields)],
});
export type EventNotices = Static<typeof EventNotices>;

const notices = eventRecordFrames({
  tags: ['rounds'],
  key: 'notices',
  params: eventParam,
  record: EventNotices,
});

export const readNoticesSchema = notices.read({
  operationId: 'readNotices',
  summary: 'Read the settings of automatic messages',
  answer: 'The settings. Messages are sent while the event is published and has not begun.',
});

export const updateNoticesSchema = notices.replace(
  {
    operationId: 'updateNotices',
    summary: 'Switch automatic messages on or off',
    description: 'Partial: an absent field keeps its value.',
    errors: { 409: 'A channel is not set up on this server.' },
  },
  Type.Object(inputFields(noticeFields), { additionalProperties: false, examples: [{ declined: false }] }),
);
