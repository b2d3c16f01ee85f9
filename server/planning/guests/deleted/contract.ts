import { type Static, Type } from 'typebox';
import { pageAnswer, queryOf } from '../../../kernel/http/resource.ts';
import { dateTimeSchema, enumSchema, uuidSchema } from '../../../kernel/http/shapes.ts';
import { pageQuery } from '../../../kernel/paging.ts';
import { eventErrors, eventParam, organizerFrames } from '../../events/area.ts';
import { guestParams, savedGuest } from '../contract.ts';
import { guestFields, RSVP_STATUSES } from '../fields.ts';

/** Schemas of deleted guests, who can be restored. */

export const DeletedGuest = Type.Object(
  {
    id: uuidSchema(),
    name: Type.String(),
    rsvp_status: enumSchema(RSVP_STATUSES),
    party_size: Type.Integer(),
    deleted_at: dateTimeSchema(),
    until: dateTimeSchema('The guest can be restored until then.'),
  },
  {
    $id: 'DeletedGuest',
    examples: [
      {
        id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2b01',
        name: guestFields.name.example,
        rsvp_status: 'confirmed',
        party_size: 2,
        deleted_at: '2026-12-01T18:20:00.000Z',
        until: '2026-12-31T18:20:00.000Z',
      },
    ],
  },
);
export type DeletedGuest = Static<typeof DeletedGuest>;

const tags = ['guests'];

export const listDeletedGuestsSchema = organizerFrames.get({
  tags,
  operationId: 'listDeletedGuests',
  summary: 'List deleted guests',
  description:
    'Guests deleted within the last 30 days, the latest first. Only for people who may edit the event.',
  params: eventParam,
  querystring: queryOf(pageQuery),
  response: { 200: pageAnswer(DeletedGuest, 'guests', 'A page of deleted guests.') },
  errors: eventErrors,
});

export const restoreGuestSchema = organizerFrames.post({
  tags,
  operationId: 'restoreGuest',
  summary: 'Restore a deleted guest',
  description:
    'Within 30 days, with their link and the record of their messages. Their places were given away: a guest who had said ' +
    'yes asks for places anew and may have to wait; `warnings` tell.',
  params: guestParams,
  response: { 200: savedGuest('The restored guest.') },
  errors: { ...eventErrors, 409: 'Another guest now has this phone number or email.' },
});
