import { isDeepStrictEqual } from 'node:util';
import { readGiven, readWhole } from '../../kernel/field-types.ts';
import { FieldProblem, type Fields, fieldsOf, invalidField } from '../../kernel/fields.ts';
import { countComingChildren, type GuestRsvp, membersAfter } from '../guests/capacity/allocation.ts';
import type { Guest } from '../guests/contract.ts';
import { DIETS, type Diet, type Member, NO_DETAILS, ownFields } from '../guests/fields.ts';
import { answerRequestOf, type GuestInput, partyAfter, partyOf } from '../guests/input.ts';
import { countMeals, type GuestMeals } from '../guests/meals.ts';
import { answerFields } from './fields.ts';
import {
  type FormOptions,
  fieldsOmittedFor,
  MEAL_FIELD,
  mealsOffered,
  type OptionalField,
  omittedFields,
} from './meals.ts';
import { countsOfRows, EACH_ROW, membersInRows, rowsInForm } from './member-rows.ts';
import { messages } from './messages.ts';
import { readAnswersForm } from './question-form.ts';
import type { InvitedEvent } from './store.ts';

/** Reasons why an event accepts no answers from its guests. */
export const CLOSED_REASONS = ['draft', 'cancelled', 'over', 'late'] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/**
 * Reason why the event accepts no answers now; undefined if it accepts them. Answers end at the organizer's deadline,
 * or when the event begins.
 */
export function closedReason(event: InvitedEvent, now: Temporal.Instant): ClosedReason | undefined {
  if (event.status === 'draft' || event.status === 'cancelled') return event.status;
  if (hasBegun(event, now)) return 'over';
  if (event.answer_until && now.epochMilliseconds >= event.answer_until.getTime()) return 'late';
  return undefined;
}

/** True once the event has begun, after which no more guests are expected. */
export function hasBegun({ status, event_date }: InvitedEvent, now: Temporal.Instant): boolean {
  return status === 'completed' || (event_date !== null && now.epochMilliseconds >= event_date.getTime());
}

/** Data of an event that determine what a guest's answer may have. */
export type AnswerOptions = FormOptions & Pick<InvitedEvent, 'names_asked'>;

/**
 * Reads the answer that a guest sends: yes with a number of people, no, or maybe. Other fields keep their value if
 * absent.
 */
export function readAnswer(
  body: unknown,
  now: GuestRsvp & Pick<Guest, OptionalField>,
  event: AnswerOptions,
): GuestInput {
  const fields = fieldsOf(body);
  const { rsvp_status: yesOrNo, coming: howMany, coming_children: children } = answerFields;
  const { rsvp_status } = readWhole({ rsvp_status: yesOrNo }, fields);
  const given = readGiven(ownFields, fields);
  refuseOmittedFields(given, now, event);
  if (given.members) refuseOmittedNames(given.members, now, event);
  const details = partyOf(given, now);
  const party = partyAfter(given, details, now);
  if (rsvp_status !== 'confirmed')
    return { details, answer: answerRequestOf({ status: rsvp_status }, now, party) };
  const { coming } = readGiven({ coming: howMany }, fields);
  const { coming_children = null } = readGiven({ coming_children: children }, fields);
  refuseOmittedFields({ coming_children }, now, event);
  const people = { ...(coming && { coming }), ...(coming_children !== null && { coming_children }) };
  const answer = answerRequestOf({ status: rsvp_status, ...people }, now, party);
  if (answer && ['coming', 'coming_children', 'members', ...DIETS].some((field) => field in fields)) {
    const members = membersAfter(now, answer, answer, details.members);
    const coming_children = countComingChildren(now, answer, { ...now, ...answer, members });
    refuseMoreMeals({ ...now, ...details, coming: answer.coming, coming_children }, event, details);
  }
  return { details, answer };
}

/** Refuses fields of an answer that the event does not ask for. A value that the guest already has may be sent back. */
function refuseOmittedFields(given: Fields, stored: Pick<Guest, OptionalField>, event: FormOptions): void {
  const field = fieldsOmittedFor(event, stored).find((one) => given[one] && given[one] !== stored[one]);
  if (field) throw invalidField(field, messages.notAsked);
}

/** Refuses names, and details of people, that the event does not ask for. What is stored may be sent back. */
function refuseOmittedNames(
  given: readonly Member[],
  now: GuestRsvp & Pick<Guest, Diet>,
  event: AnswerOptions,
): void {
  if (!event.names_asked) {
    if (!isDeepStrictEqual(given, now.members)) throw invalidField('members', messages.notAsked);
    return;
  }
  const meals = mealsOffered(event, now);
  for (const [index, member] of given.entries()) {
    const stored = now.members.find(({ id }) => id === member.id);
    const omitted = {
      child: !event.children_asked && member.child,
      meal: member.meal !== null && !meals.includes(member.meal),
      allergies: !event.food_asked && member.allergies !== null,
    };
    const field = MEMBER_FIELDS.find((one) => omitted[one] && member[one] !== stored?.[one]);
    if (field) throw invalidField(`members[${index}].${field}`, messages.notAsked);
  }
}
const MEMBER_FIELDS = ['child', 'meal', 'allergies'] as const;

/** Throws if an answer has more children than people who come. */
export function refuseMoreChildren(children: number | null, people: number): void {
  if (children !== null && children > people)
    throw new FieldProblem('coming_children', { kind: 'integer', least: 0, most: people });
}

/**
 * Refuses an answer with more special meals than people, or more children's meals than children. Only meals that the
 * event asks for are counted.
 */
export function refuseMoreMeals(noted: GuestMeals, event: FormOptions, given: Fields): void {
  const notAsked = omittedFields(event);
  const asked = DIETS.filter((diet) => !notAsked.includes(diet));
  const { coming, coming_children, childrens_meals } = noted;
  if (asked.includes('childrens_meals') && childrens_meals > coming_children)
    throw invalidField('childrens_meals', messages.moreChildrensMeals(childrens_meals, coming_children));
  // Meals that the guest already has are counted before the meals of this request, so that the error names a field of
  // this request.
  const inTurn = [...asked.filter((diet) => !(diet in given)), ...asked.filter((diet) => diet in given)];
  const field = inTurn.find((_, index) => countMeals(noted, inTurn.slice(0, index + 1)) > coming);
  if (field) throw invalidField(field, messages.moreMeals(countMeals(noted, asked), coming));
}

/** Converts the texts of a guest's form to the JSON of the API. Fields that the form does not have are absent. */
export function readAnswerForm(
  form: URLSearchParams,
  { event, guest }: { event: AnswerOptions & Pick<InvitedEvent, 'questions'>; guest: PartyWithMeals },
): Record<string, unknown> {
  const party = readPartyForm(form, event, guest);
  const comes = form.get('rsvp_status') === 'confirmed';
  return {
    ...party,
    ...(event.names_asked && comes && readMemberRows(form, event, guest, Number(party.coming ?? 1))),
    message: form.get('message') ?? '',
    answers: readAnswersForm(form, event.questions),
    rsvp_status: form.get('rsvp_status') ?? '',
  };
}

type PartyWithMeals = Pick<Guest, Diet | 'members'>;

/**
 * Reads the people by name in a guest's form; children and meals are counted from the rows if each person has a row.
 * `firstName` is the name of the first person, if the form asks for it elsewhere.
 */
export function readMemberRows(
  form: URLSearchParams,
  event: AnswerOptions,
  guest: PartyWithMeals,
  coming: number,
  firstName?: string,
): Record<string, unknown> {
  const inForm = rowsInForm(form, guest.members);
  if (inForm.length === 0) return {};
  const rows = inForm.map((row, index) =>
    index === 0 && firstName !== undefined ? { ...row, name: firstName } : row,
  );
  const { coming_children, ...meals } = countsOfRows(rows, coming);
  const counted = form.get(EACH_ROW) === 'yes';
  const asked = mealsOffered(event, guest);
  return {
    members: membersInRows(rows, coming, guest.members),
    ...(counted && event.children_asked && { coming_children }),
    ...(counted && Object.fromEntries(asked.map((diet) => [diet, meals[diet]]))),
  };
}

/**
 * Reads the people and meals in a guest's form. `noted` are the meals that the guest already has: the form has fields
 * for these meals even if the event does not ask for them.
 */
export function readPartyForm(
  form: URLSearchParams,
  event: FormOptions,
  noted: Pick<Guest, Diet> = NO_DETAILS,
): Record<string, unknown> {
  const notAsked: readonly string[] = omittedFields(event);
  const fields = ['coming', 'coming_children', ...DIETS, 'allergies'];
  const given = fields.filter((field) => form.has(field) && !notAsked.includes(field));
  const value = (field: string) => (field === 'allergies' ? form.get(field) : numberIn(form.get(field)));
  return {
    ...Object.fromEntries(given.map((field) => [field, value(field)])),
    ...readMealField(form.get(MEAL_FIELD), mealsOffered(event, noted)),
  };
}

/**
 * Reads the form of a guest who comes alone and chooses one kind of meal: the result is one meal of that kind, and none
 * of the others.
 */
function readMealField(meal: string | null, asked: readonly Diet[]): Record<string, number> {
  if (meal === null || asked.length === 0) return {};
  if (meal !== '' && !asked.some((diet) => diet === meal))
    throw new FieldProblem(MEAL_FIELD, { kind: 'choice', choices: asked });
  return Object.fromEntries(asked.map((diet) => [diet, diet === meal ? 1 : 0]));
}

/** Reads a number from a form; an empty text is 0. Other texts are returned as they are and refused later. */
function numberIn(text: string | null): unknown {
  const typed = (text ?? '').trim();
  return /^\d{0,3}$/.test(typed) ? Number(typed) : typed;
}
