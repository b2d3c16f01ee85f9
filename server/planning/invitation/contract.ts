import { type Static, Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { eventParam, eventRecordFrames } from '../events/area.ts';
import { invitationFields } from './fields.ts';

/** Schemas of the invitation's settings. */

export const EventInvitation = Type.Object(outputFields(invitationFields), {
  $id: 'EventInvitation',
  examples: [exampleOf(invitationFields)],
});
export type EventInvitation = Static<typeof EventInvitation>;

const invitation = eventRecordFrames({
  tags: ['guests'],
  key: 'invitation',
  params: eventParam,
  record: EventInvitation,
});

export const readInvitationSchema = invitation.read({
  operationId: 'readEventInvitation',
  summary: 'Read the invitation',
  answer: 'The hosts, and what guests see besides the event’s own fields.',
});

export const updateInvitationSchema = invitation.replace(
  {
    operationId: 'updateEventInvitation',
    summary: 'Change the invitation',
    description: 'Partial: an absent field keeps its value, null empties it.',
  },
  Type.Object(inputFields(invitationFields), {
    additionalProperties: false,
    examples: [{ hosts: 'נועה כהן ואיתי לוי', event_end: '2027-06-16T01:30' }],
  }),
);
