import { readGiven, readWhole } from '../../kernel/field-types.ts';
import { type Fields, invalidField } from '../../kernel/fields.ts';
import type { RsvpAnswer } from './capacity/capacity.ts';
import { type GuestDetails, guestFields, overLimitFields, peopleCount, rsvpFields } from './fields.ts';
import { messages } from './messages.ts';

/**
 * Fields of a guest in a request body. The meaning of the answer depends on the guest's current state; see
 * `answerRequestOf`.
 */
export interface GuestBody {
  details: Partial<GuestDetails>;
  rsvp: RsvpInput;
}

export interface RsvpInput {
  status?: RsvpAnswer;
  coming?: number;
  coming_children?: number;
  over_limit?: true;
}

export function readGuestBody(fields: Fields): GuestBody {
  return { details: readGiven(guestFields, fields), rsvp: readAnswer(fields) };
}

/** Reads a guest's answer that an organizer enters, who may exceed the event's limits with it. */
export function readAnswer(fields: Fields): RsvpInput {
  const { over_limit } = readWhole(overLimitFields, fields);
  return { ...readRsvpInput(fields), ...(over_limit && { over_limit }) };
}

export function readRsvpInput(fields: Fields): RsvpInput {
  const { rsvp_status, maybe, coming, coming_children } = readWhole(rsvpFields, fields);
  const status = maybe && (rsvp_status ?? 'pending') === 'pending' ? 'maybe' : rsvp_status;
  if (maybe && status !== 'maybe') throw invalidField('maybe', messages.maybeIsNoAnswer);
  if (status === 'confirmed' && fields.coming === 0) peopleCount.read('coming', 0);
  return {
    ...(status && { status }),
    ...(coming && { coming }),
    ...(coming_children !== null && { coming_children }),
  };
}
