import { readGiven, readWhole } from '../../kernel/field-types.ts';
import { type Fields, invalidField } from '../../kernel/fields.ts';
import type { Answer } from './capacity/room.ts';
import { type Details, guestFields, people, saidFields, seatingFields } from './fields.ts';
import { messages } from './messages.ts';

/**
 * Fields of a guest in a body, read one by one. The meaning of the answer depends on the guest's current state; see
 * `answerRequestOf`.
 */
export interface GuestBody {
  details: Partial<Details>;
  said: Said;
}

export interface Said {
  status?: Answer;
  coming?: number;
  coming_children?: number;
  over_limit?: true;
}

export function readGuestBody(fields: Fields): GuestBody {
  const { over_limit } = readWhole(seatingFields, fields);
  return {
    details: readGiven(guestFields, fields),
    said: { ...readSaid(fields), ...(over_limit && { over_limit }) },
  };
}

/** Reads the fields of a guest's answer. */
export function readSaid(fields: Fields): Said {
  const { rsvp_status, maybe, coming, coming_children } = readWhole(saidFields, fields);
  const status = maybe && (rsvp_status ?? 'pending') === 'pending' ? 'maybe' : rsvp_status;
  if (maybe && status !== 'maybe') throw invalidField('maybe', messages.maybeIsNoAnswer);
  if (status === 'confirmed' && fields.coming === 0) people.read('coming', 0);
  return {
    ...(status && { status }),
    ...(coming && { coming }),
    ...(coming_children !== null && { coming_children }),
  };
}
