import { FieldProblem, type Fields, fieldsOf } from '../../kernel/fields.ts';
import { readGiven, readWhole } from '../../kernel/takes.ts';
import { DIETS, ownFields } from '../guests/fields.ts';
import type { GuestInput } from '../guests/input.ts';
import type { Standing } from '../guests/places/room.ts';
import { answerFields } from './fields.ts';
import { answersOfForm } from './question-form.ts';
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

/** A guest's own answer: yes with how many, no, or that they don't know yet; what is absent of the rest keeps its value. */
export function readAnswer(body: unknown, now: Standing): GuestInput {
  const fields = fieldsOf(body);
  const { rsvp_status: yesOrNo, coming: howMany, coming_children: children } = answerFields;
  const { rsvp_status } = readWhole({ rsvp_status: yesOrNo }, fields);
  const details = readGiven(ownFields, fields);
  if (rsvp_status !== 'confirmed') return { details, wish: { rsvp_status, coming: 0 } };
  const stands = now.rsvp_status === 'confirmed' || now.waiting ? now.coming : now.party_size;
  const { coming = Math.max(stands, 1) } = readGiven({ coming: howMany }, fields);
  const { coming_children = null } = readGiven({ coming_children: children }, fields);
  refuseMore({ coming_children, ...details }, ['coming_children', ...DIETS], coming);
  return { details, wish: { rsvp_status, coming, ...(coming_children !== null && { coming_children }) } };
}

/** Nobody eats two meals. */
function refuseMore(given: Fields, fields: readonly string[], people: number): void {
  const field = fields.find((one) => Number(given[one] ?? 0) > people);
  if (field) throw new FieldProblem(field, { kind: 'integer', least: 0, most: people });
}

/** A form's texts as the JSON they stand for; what it does not ask is absent. */
export function answerOfForm(
  form: URLSearchParams,
  { questions }: Pick<InvitedEvent, 'questions'>,
): Record<string, unknown> {
  const numbers = ['coming', 'coming_children', ...DIETS].filter((field) => form.has(field));
  return {
    ...Object.fromEntries(Object.keys(ownFields).map((field) => [field, form.get(field) ?? ''])),
    ...Object.fromEntries(DIETS.map((field) => [field, undefined])),
    answers: answersOfForm(form, questions),
    rsvp_status: form.get('rsvp_status') ?? '',
    ...Object.fromEntries(numbers.map((field) => [field, numberIn(form.get(field))])),
  };
}

/** Empty is none; what is no number is judged as it is. */
function numberIn(text: string | null): unknown {
  const typed = (text ?? '').trim();
  return /^\d{0,3}$/.test(typed) ? Number(typed) : typed;
}
