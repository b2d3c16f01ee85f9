import { invalidField } from '../../kernel/fields.ts';
import { randomText } from '../../kernel/random.ts';
import { DIETS, type Diet, LARGEST_PARTY, type Member } from './fields.ts';
import { messages } from './messages.ts';

/**
 * Rules for the members of a party who are known by name. The guest's counts (people, children, meals) decide about
 * places and meals; members may be fewer than the counts, never more. All functions are pure.
 */

type Members = readonly Member[];

/** Numbers of people and of meals of a guest's party in which the party's members are included. */
export type PartyCount = 'coming' | 'coming_children' | Diet;

export function isCountedIn(count: PartyCount, { coming, child, meal }: Member): boolean {
  if (count === 'coming') return coming;
  return coming && (count === 'coming_children' ? child : meal === count);
}

export function countMembers(members: Members, count: PartyCount): number {
  return members.filter((member) => isCountedIn(count, member)).length;
}

const ID_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const ID_LENGTH = 6;

/** Gives new members an id. Throws a FieldProblem for an id that the guest has no member with, or that comes twice. */
export function identifyMembers(given: Members, stored: Members): Member[] {
  const taken = new Set(stored.map(({ id }) => id));
  const named = new Set<string>();
  return given.map((member, index) => {
    const id = member.id || newId(taken);
    if (member.id && !taken.has(id)) throw invalidField(`members[${index}].id`, messages.unknownMember);
    if (named.has(id)) throw invalidField(`members[${index}].id`, messages.memberTwice);
    named.add(id);
    return { ...member, id };
  });
}

/** Makes an id that no member has, and adds it to the taken ones. */
function newId(taken: Set<string>): string {
  const id = randomText(ID_LENGTH, ID_LETTERS);
  if (taken.has(id)) return newId(taken);
  taken.add(id);
  return id;
}

/**
 * Number of people or meals (`count`) after a change of the members by a request that does not give the number: one
 * less for each member who is no longer counted, one more for each who comes after all. Other newly counted members
 * were counted before as people without names, as long as there are such people.
 */
export function countAfter(count: PartyCount, number: number, before: Members, after: Members): number {
  const isIn = (members: Members, id: string) =>
    members.some((member) => member.id === id && isCountedIn(count, member));
  const left = before.filter(({ id }) => isIn(before, id) && !isIn(after, id)).length;
  const returned = before.filter(({ id, coming }) => !coming && isIn(after, id)).length;
  return Math.min(Math.max(number - left + returned, countMembers(after, count)), LARGEST_PARTY);
}

/** Number of people who come if a yes gives no number: the party without the members who are marked as not coming. */
export function usualPeople(partySize: number, members: Members): number {
  const absent = members.filter(({ coming }) => !coming).length;
  return Math.max(partySize - absent, countMembers(members, 'coming'), 1);
}

/** Throws a FieldProblem if a count is smaller than the number of members who belong to it. */
export function refuseFewerThanMembers(members: Members, count: PartyCount, number: number): void {
  const counted = countMembers(members, count);
  if (counted > number) throw invalidField(count, messages.fewerThanMembers(counted, number));
}

/** Throws a FieldProblem if there are more members than people. */
export function refuseMoreMembers(members: Members, most: number): void {
  if (members.length > most) throw invalidField('members', messages.moreMembers(members.length, most));
}

/** Numbers of people in an answer that does not say which members come. */
interface Numbers {
  coming: number;
  children: number | undefined;
  /** True if the answer has more people than the answer before it, but does not say who they are. */
  isRaised: boolean;
}

/**
 * Members after an answer. If fewer people or children come than members are marked as coming, the last ones are marked
 * as not coming. If as many people come as there are members, or more, a raised number means that all of them come.
 */
export function fitComing(members: Members, { coming, children, isRaised }: Numbers): Members {
  const areAll = isRaised && coming >= members.length && members.some((member) => !member.coming);
  const all = areAll ? members.map((member) => ({ ...member, coming: true })) : members;
  const fit = children === undefined ? all : leaveOutLast(all, 'coming_children', children);
  return leaveOutLast(fit, 'coming', coming);
}

function leaveOutLast(members: Members, count: PartyCount, most: number): Members {
  return changeLast(members, count, most, (member) => ({ ...member, coming: false }));
}

/** New numbers of meals, for the kinds of meals that more coming members have than the present number. */
export function mealsOfMembers(
  members: Members,
  meals: Readonly<Record<Diet, number>>,
): Partial<Record<Diet, number>> {
  const counted = DIETS.map((diet) => [diet, countMembers(members, diet)] as const);
  return Object.fromEntries(counted.filter(([diet, count]) => count > meals[diet]));
}

/**
 * Members after a change that gives only numbers of meals. If more members have a kind of meal than the new number, the
 * last of them get the regular meal instead.
 */
export function fitMeals(members: Members, meals: Partial<Readonly<Record<Diet, number>>>): Members {
  return DIETS.reduce<Members>((fit, diet) => {
    const most = meals[diet];
    return most === undefined ? fit : changeLast(fit, diet, most, (member) => ({ ...member, meal: null }));
  }, members);
}

/**
 * Changes the last members that are included in a number of people or meals (`count`), so that at most `most` remain in
 * it.
 */
function changeLast(
  members: Members,
  count: PartyCount,
  most: number,
  change: (member: Member) => Member,
): Members {
  let extra = countMembers(members, count) - most;
  if (extra <= 0) return members;
  return members
    .toReversed()
    .map((member) => (isCountedIn(count, member) && extra-- > 0 ? change(member) : member))
    .toReversed();
}

/** Party of a guest as invited: its numbers of people and children, and its members. */
interface InvitedPeople {
  party_size: number;
  party_children: number;
  members: Members;
}

/**
 * Number of children among the people who come, if only the number of people is given. Members are counted as what
 * they are; of the people without names, the adults of the party come first.
 */
export function usualChildren(
  coming: number,
  { party_size, party_children, members }: InvitedPeople,
): number {
  const knownChildren = members.filter(({ child }) => child).length;
  const knownAdults = members.length - knownChildren;
  const unnamedAdults = Math.max(party_size - party_children - knownAdults, 0);
  const unnamedChildren = Math.max(party_children - knownChildren, 0);
  const unnamedPlaces = coming - countMembers(members, 'coming');
  const others = Math.min(unnamedChildren, Math.max(unnamedPlaces - unnamedAdults, 0));
  return countMembers(members, 'coming_children') + others;
}
