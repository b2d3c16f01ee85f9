import type { GuestsToDelete } from 'simcha-client';

export const ANSWER_FILTERS = ['confirmed', 'pending', 'declined', 'maybe', 'waiting'] as const;
export const DIETS = [
  'vegetarian',
  'vegan',
  'kosher',
  'mehadrin',
  'chalav_yisrael',
  'childrens_meals',
  'allergies',
] as const;
export const GUEST_ORDERS = ['name', 'answered', 'waiting'] as const;
export type AnswerFilter = (typeof ANSWER_FILTERS)[number];
export type DietFilter = (typeof DIETS)[number];
export type GuestOrder = (typeof GUEST_ORDERS)[number];

/** Search parameters of the guest list's address: search text, filters, order and the open guest. */
export interface GuestSearch {
  q?: string | undefined;
  answer?: AnswerFilter[] | undefined;
  tag?: string[] | undefined;
  food?: DietFilter[] | undefined;
  invited?: boolean | undefined;
  /** True to show only guests who come with more people than were invited. */
  plus_ones?: true | undefined;
  order?: Exclude<GuestOrder, 'name'> | undefined;
  /** Identifier of the guest whose details are open beside the list. */
  guest?: string | undefined;
  /** True if the form for a new guest is open beside the list. */
  add?: true | undefined;
}

/** Reads the search parameters of the guest list's address; unknown values are ignored. */
export function readGuestSearch(given: Record<string, unknown>): GuestSearch {
  const { q, invited, order, guest, add } = given;
  // All search parameters are named here, because the router passes on unnamed parameters without a check.
  return {
    // The router reads a search parameter of digits only as a number.
    q: texts(q)[0],
    answer: someOf(ANSWER_FILTERS, given.answer),
    tag: filled(texts(given.tag)),
    food: someOf(DIETS, given.food),
    invited: typeof invited === 'boolean' ? invited : undefined,
    plus_ones: given.plus_ones === true || undefined,
    order: order === 'answered' || order === 'waiting' ? order : undefined,
    guest: typeof guest === 'string' && guest !== '' ? guest : undefined,
    add: add === true || undefined,
  };
}

/** Search parameters of the same list in another view: all but those of side sheets. */
export const listSearchOf = ({ guest: _guest, add: _add, ...search }: GuestSearch): GuestSearch => search;

/** Filter for guests in API requests: lists, exports and bulk changes use the same one. */
export type GuestFilter = NonNullable<GuestsToDelete['filter']>;

export function filterOf({ q, answer, tag, food, invited, plus_ones }: GuestSearch): GuestFilter {
  return {
    ...(q?.trim() && { search: q.trim() }),
    ...(answer && { status: answer }),
    ...(tag && { tag }),
    ...(food && { diet: food }),
    ...(invited !== undefined && { invited }),
    ...(plus_ones && { plus_ones }),
  };
}

/** True if the guest list shows only guests that match a filter. */
export const isFiltered = (search: GuestSearch): boolean => Object.keys(filterOf(search)).length > 0;

const texts = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (one === undefined || one === null || one === '' ? [] : String(one)));

function someOf<T extends string>(known: readonly T[], value: unknown): T[] | undefined {
  const given = texts(value);
  return filled(known.filter((one) => given.includes(one)));
}

const filled = <T>(some: T[]): T[] | undefined => (some.length > 0 ? some : undefined);
