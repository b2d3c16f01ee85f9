import type { Say } from '../../../lib/words.ts';
import type { GuestSearch } from '../api/search.ts';
import type { words } from '../words.ts';

export interface ActiveFilter {
  name: string;
  /** Change of the search that removes the filter. */
  off: GuestSearch;
}

/** Active filters of the guest list besides its search text and the replies. */
export function activeFilters(
  { tag = [], food = [], invited, plus_ones }: GuestSearch,
  say: Say<typeof words>,
): ActiveFilter[] {
  return [
    ...tag.map((one) => ({ name: one, off: { tag: toggled(tag, one) } })),
    ...food.map((one) => ({ name: say(one), off: { food: toggled(food, one) } })),
    ...(invited === undefined
      ? []
      : [{ name: say(invited ? 'invitedChip_yes' : 'invitedChip_no'), off: { invited: undefined } }]),
    ...(plus_ones ? [{ name: say('moreThanInvited'), off: { plus_ones: undefined } }] : []),
  ];
}

/** Names of everything by which a guest list is filtered, its search text and replies included. */
export function filterNames(search: GuestSearch, say: Say<typeof words>): string[] {
  const { q, answer = [] } = search;
  return [
    ...(q?.trim() ? [q.trim()] : []),
    ...answer.map((one) => say(one)),
    ...activeFilters(search, say).map(({ name }) => name),
  ];
}

/** Adds a value to the selected values of a filter, or removes it; returns undefined if no value is left. */
export function toggled<T>(chosen: readonly T[], one: T): T[] | undefined {
  const next = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
  return next.length > 0 ? next : undefined;
}
