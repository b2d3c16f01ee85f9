import type { GuestsToDelete } from 'simcha-client';

export const ANSWERS = ['confirmed', 'pending', 'declined', 'maybe', 'waiting'] as const;
export const DIETS = [
  'vegetarian',
  'vegan',
  'kosher',
  'mehadrin',
  'chalav_yisrael',
  'childrens_meals',
  'allergies',
] as const;
export const ORDERS = ['name', 'answered', 'waiting'] as const;
export type AnswerFilter = (typeof ANSWERS)[number];
export type DietFilter = (typeof DIETS)[number];
export type Order = (typeof ORDERS)[number];

/** What the list's address says: whom one looks for, in which order, and who is open. */
export interface GuestSearch {
  q?: string | undefined;
  answer?: AnswerFilter[] | undefined;
  tag?: string[] | undefined;
  food?: DietFilter[] | undefined;
  invited?: boolean | undefined;
  order?: Exclude<Order, 'name'> | undefined;
  /** Whose drawer is open. */
  guest?: string | undefined;
  /** Somebody is being added. */
  add?: true | undefined;
}

/** Of the address; what it does not know is as if it were not there. */
export function readGuestSearch(given: Record<string, unknown>): GuestSearch {
  const { q, invited, order, guest, add } = given;
  // What is not named here again would stay as it came.
  return {
    // Digits alone come as a number.
    q: texts(q)[0],
    answer: someOf(ANSWERS, given.answer),
    tag: filled(texts(given.tag)),
    food: someOf(DIETS, given.food),
    invited: typeof invited === 'boolean' ? invited : undefined,
    order: order === 'answered' || order === 'waiting' ? order : undefined,
    guest: typeof guest === 'string' && guest !== '' ? guest : undefined,
    add: add === true || undefined,
  };
}

/** As the API takes them: the same for a list, an export and a change of many. */
export type Filter = NonNullable<GuestsToDelete['filter']>;

export function filterOf({ q, answer, tag, food, invited }: GuestSearch): Filter {
  return {
    ...(q?.trim() && { search: q.trim() }),
    ...(answer && { status: answer }),
    ...(tag && { tag }),
    ...(food && { diet: food }),
    ...(invited !== undefined && { invited }),
  };
}

/** Everybody, or only some. */
export const isFiltered = (search: GuestSearch): boolean => Object.keys(filterOf(search)).length > 0;

const texts = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (one === undefined || one === null || one === '' ? [] : String(one)));

function someOf<T extends string>(known: readonly T[], value: unknown): T[] | undefined {
  const given = texts(value);
  return filled(known.filter((one) => given.includes(one)));
}

const filled = <T>(some: T[]): T[] | undefined => (some.length > 0 ? some : undefined);
