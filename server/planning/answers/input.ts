import { readGiven, readWhole } from '../../kernel/field-types.ts';
import { FieldProblem, type Fields, fieldsOf, invalidField } from '../../kernel/fields.ts';
import { childrenAmong, type Seated } from '../guests/capacity/standing.ts';
import type { Guest } from '../guests/contract.ts';
import { DIETS, type Diet, NO_DETAILS, ownFields } from '../guests/fields.ts';
import type { GuestInput } from '../guests/input.ts';
import { mealsIn, type Noted } from '../guests/meals.ts';
import { answerFields } from './fields.ts';
import { type Asks, fieldsNotAsked, type LeftUnasked, MEAL, mealsAsked, unasked } from './meals.ts';
import { messages } from './messages.ts';
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
export function readAnswer(body: unknown, now: Seated & Pick<Guest, LeftUnasked>, event: Asks): GuestInput {
  const fields = fieldsOf(body);
  const { rsvp_status: yesOrNo, coming: howMany, coming_children: children } = answerFields;
  const { rsvp_status } = readWhole({ rsvp_status: yesOrNo }, fields);
  const details = readGiven(ownFields, fields);
  refuseUnasked(details, now, event);
  if (rsvp_status !== 'confirmed') return { details, wish: { rsvp_status, coming: 0 } };
  const stands = now.rsvp_status === 'confirmed' || now.waiting ? now.coming : now.party_size;
  const { coming = Math.max(stands, 1) } = readGiven({ coming: howMany }, fields);
  const { coming_children = null } = readGiven({ coming_children: children }, fields);
  refuseUnasked({ coming_children }, now, event);
  const wish = { rsvp_status, coming, ...(coming_children !== null && { coming_children }) };
  refuseMore(coming_children, coming);
  if (['coming', 'coming_children', ...DIETS].some((field) => field in fields)) {
    const comes = { coming, coming_children: childrenAmong(now, wish, { ...now, coming }) };
    refuseMoreMeals({ ...now, ...details, ...comes }, event, details);
  }
  return { details, wish };
}

/** What an event does not ask is not taken; what stands there already may be sent back. */
function refuseUnasked(given: Fields, kept: Pick<Guest, LeftUnasked>, event: Asks): void {
  const field = unasked(event, kept).find((one) => given[one] && given[one] !== kept[one]);
  if (field) throw invalidField(field, messages.notAsked);
}

/** There are no more children than people. */
export function refuseMore(children: number | null, people: number): void {
  if (children !== null && children > people)
    throw new FieldProblem('coming_children', { kind: 'integer', least: 0, most: people });
}

/** Nobody eats two meals: those that are asked for are together no more than people, and children's no more than children. */
export function refuseMoreMeals(noted: Noted, event: Asks, given: Fields): void {
  const notAsked = fieldsNotAsked(event);
  const asked = DIETS.filter((diet) => !notAsked.includes(diet));
  const { coming, coming_children, childrens_meals } = noted;
  if (asked.includes('childrens_meals') && childrens_meals > coming_children)
    throw invalidField('childrens_meals', messages.moreChildrensMeals(childrens_meals, coming_children));
  // What stood there already comes first: the complaint is about what was said now.
  const inTurn = [...asked.filter((diet) => !(diet in given)), ...asked.filter((diet) => diet in given)];
  const field = inTurn.find((_, index) => mealsIn(noted, inTurn.slice(0, index + 1)) > coming);
  if (field) throw invalidField(field, messages.moreMeals(mealsIn(noted, asked), coming));
}

/** A form's texts as the JSON they stand for; what it does not ask is absent. */
export function answerOfForm(
  form: URLSearchParams,
  { event, guest }: { event: Asks & Pick<InvitedEvent, 'questions'>; guest: Pick<Guest, Diet> },
): Record<string, unknown> {
  return {
    ...partyOfForm(form, event, guest),
    message: form.get('message') ?? '',
    answers: answersOfForm(form, event.questions),
    rsvp_status: form.get('rsvp_status') ?? '',
  };
}

/** What a form says of who comes and what they eat; of a guest, what is `noted` of them is asked as well. */
export function partyOfForm(
  form: URLSearchParams,
  event: Asks,
  noted: Pick<Guest, Diet> = NO_DETAILS,
): Record<string, unknown> {
  const notAsked: readonly string[] = fieldsNotAsked(event);
  const fields = ['coming', 'coming_children', ...DIETS, 'allergies'];
  const said = fields.filter((field) => form.has(field) && !notAsked.includes(field));
  const value = (field: string) => (field === 'allergies' ? form.get(field) : numberIn(form.get(field)));
  return {
    ...Object.fromEntries(said.map((field) => [field, value(field)])),
    ...mealOfForm(form.get(MEAL), mealsAsked(event, noted)),
  };
}

/** What somebody alone says that they eat: one of that, and none of the others. */
function mealOfForm(meal: string | null, asked: readonly Diet[]): Record<string, number> {
  if (meal === null || asked.length === 0) return {};
  if (meal !== '' && !asked.some((diet) => diet === meal))
    throw new FieldProblem(MEAL, { kind: 'choice', choices: asked });
  return Object.fromEntries(asked.map((diet) => [diet, diet === meal ? 1 : 0]));
}

/** Empty is none; what is no number is judged as it is. */
function numberIn(text: string | null): unknown {
  const typed = (text ?? '').trim();
  return /^\d{0,3}$/.test(typed) ? Number(typed) : typed;
}
