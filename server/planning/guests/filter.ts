import type { FieldType } from '../../kernel/field-types.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { ANSWERS, DIETS, LENGTHS } from './fields.ts';

const searched: FieldType<string | undefined> = {
  read(name, value) {
    const typed = queryTypes.text(LONGEST_SEARCH).read(name, value);
    return typed && searchTerm(typed);
  },
  schema: {
    type: 'string',
    description: 'Part of a name or phone number. Vowel signs and capitals don’t matter.',
  },
};

/** Filters of an event's guests, the same for the list, the export and bulk changes. */
export const guestFilter = {
  search: searched,
  status: queryTypes.someOf([...ANSWERS, 'waiting']),
  tag: queryTypes.someTexts({ most: 100, longest: LENGTHS.tag }),
  diet: queryTypes.someOf([...DIETS, 'allergies']),
  answered: queryTypes.booleanFilter(
    '`true`: guests who answered yes or no, including those on the waiting list; `false`: the others.',
  ),
  invited: queryTypes.booleanFilter(
    '`true`: guests to whom an invitation or reminder was sent or is being sent; `false`: the others.',
  ),
  plus_ones: queryTypes.booleanFilter(
    '`true`: guests who come with more people than were invited; `false`: the others.',
  ),
};
export type GuestFilter = queryTypes.QueryValues<typeof guestFilter>;

export const guestOrder = {
  order: queryTypes.oneOfOr(
    ['name', 'answered', 'waiting'],
    'name',
    '`name`: by name; `answered`: the latest answer first, guests without one last; `waiting`: in the order of the waiting list.',
  ),
};
export type GuestOrder = queryTypes.QueryValues<typeof guestOrder>['order'];

const LONGEST_SEARCH = 100;

/**
 * Phone numbers are searched in their stored form: digits only, without the leading zero that the country code
 * replaces.
 */
function searchTerm(typed: string): string {
  const term = typed.slice(0, LONGEST_SEARCH).toWellFormed();
  if (!/^[\d\s\-+().]*\d[\d\s\-+().]*$/.test(term)) return term;
  return term.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
}
