import { choice, FieldProblem, fieldsOf, isBlank, textOrNothing } from '../../kernel/fields.ts';
import { KASHRUT_LEVELS } from '../events/contract.ts';
import { LENGTHS } from '../guests/contract.ts';
import { type Details, flag, type GuestInput, people } from '../guests/input.ts';
import type { Standing } from './room.ts';
import type { InvitedEvent } from './store.ts';

/** Why an answer can't be given now. */
export type Closed = 'cancelled' | 'over' | 'late';

/** undefined: answers are welcome. Until the organizer's date, and in any case until the event begins. */
export function closedBecause(event: InvitedEvent, now: Temporal.Instant): Closed | undefined {
  if (event.status === 'cancelled') return 'cancelled';
  if (event.status === 'completed') return 'over';
  const at = now.epochMilliseconds;
  if (event.event_date && at >= event.event_date.getTime()) return 'over';
  if (event.answer_until && at >= event.answer_until.getTime()) return 'late';
  return undefined;
}

/** A guest's own answer: yes with how many, or no; what is absent of the rest keeps its value. */
export function readAnswer(body: unknown, now: Standing): GuestInput {
  const fields = fieldsOf(body);
  if (isBlank(fields.rsvp_status)) throw new FieldProblem('rsvp_status', { kind: 'missing' });
  const rsvp_status = choice('rsvp_status', fields.rsvp_status, ['confirmed', 'declined']);
  const readers: { [K in keyof Details]?: (value: unknown) => Details[K] } = {
    kashrut_level: (value) => (isBlank(value) ? null : choice('kashrut_level', value, KASHRUT_LEVELS)),
    vegetarian: (value) => flag('vegetarian', value),
    vegan: (value) => flag('vegan', value),
    allergies: (value) => textOrNothing('allergies', value, LENGTHS.allergies),
    message: (value) => textOrNothing('message', value, LENGTHS.message),
  };
  const given = Object.entries(readers).filter(([field]) => fields[field] !== undefined);
  const details = Object.fromEntries(given.map(([field, read]) => [field, read(fields[field])]));
  if (rsvp_status === 'declined') return { details, wish: { rsvp_status, coming: 0 } };
  const stands = now.rsvp_status === 'confirmed' || now.waiting ? now.coming : now.party_size;
  const coming = fields.coming === undefined ? Math.max(stands, 1) : people('coming', fields.coming);
  return { details, wish: { rsvp_status, coming } };
}

/** A form's texts as the JSON they stand for: an unchecked box is absent from a form. */
export function answerOfForm(form: URLSearchParams): Record<string, unknown> {
  const coming = form.get('coming') ?? '';
  return {
    rsvp_status: form.get('rsvp_status') ?? '',
    ...(/^\d{1,3}$/.test(coming) && { coming: Number(coming) }),
    kashrut_level: form.get('kashrut_level') ?? '',
    vegetarian: form.get('vegetarian') !== null,
    vegan: form.get('vegan') !== null,
    allergies: form.get('allergies') ?? '',
    message: form.get('message') ?? '',
  };
}
