import { fieldsOf } from '../../kernel/fields.ts';
import { readGiven, readWhole } from '../../kernel/takes.ts';
import { ownFields } from '../guests/fields.ts';
import type { GuestInput } from '../guests/input.ts';
import type { Standing } from '../guests/places/room.ts';
import { answerFields } from './fields.ts';
import type { InvitedEvent } from './store.ts';

/** Why an answer can't be given now. */
export const CLOSED = ['draft', 'cancelled', 'over', 'late'] as const;
export type Closed = (typeof CLOSED)[number];

/** undefined: answers are welcome. Until the organizer's date, and in any case until the event begins. */
export function closedBecause(event: InvitedEvent, now: Temporal.Instant): Closed | undefined {
  if (event.status === 'draft' || event.status === 'cancelled') return event.status;
  if (hasBegun(event, now)) return 'over';
  if (event.answer_until && now.epochMilliseconds >= event.answer_until.getTime()) return 'late';
  return undefined;
}

/** Whether nobody is awaited any more. */
export function hasBegun({ status, event_date }: InvitedEvent, now: Temporal.Instant): boolean {
  return status === 'completed' || (event_date !== null && now.epochMilliseconds >= event_date.getTime());
}

/** A guest's own answer: yes with how many, or no; what is absent of the rest keeps its value. */
export function readAnswer(body: unknown, now: Standing): GuestInput {
  const fields = fieldsOf(body);
  const { rsvp_status: yesOrNo, coming: howMany } = answerFields;
  const { rsvp_status } = readWhole({ rsvp_status: yesOrNo }, fields);
  const details = readGiven(ownFields, fields);
  if (rsvp_status === 'declined') return { details, wish: { rsvp_status, coming: 0 } };
  const stands = now.rsvp_status === 'confirmed' || now.waiting ? now.coming : now.party_size;
  const { coming = Math.max(stands, 1) } = readGiven({ coming: howMany }, fields);
  return { details, wish: { rsvp_status, coming } };
}

/** A form's texts as the JSON they stand for: an unchecked box is absent from a form. */
export function answerOfForm(form: URLSearchParams): Record<string, unknown> {
  const coming = form.get('coming') ?? '';
  return {
    rsvp_status: form.get('rsvp_status') ?? '',
    ...(/^\d{1,3}$/.test(coming) && { coming: Number(coming) }),
    ...Object.fromEntries(
      Object.entries(ownFields).map(([field, { column }]) => [
        field,
        column === 'boolean' ? form.get(field) !== null : (form.get(field) ?? ''),
      ]),
    ),
  };
}
