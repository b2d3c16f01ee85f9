import type { FieldType } from '../../kernel/field-types.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { ANSWERS, DIETS, LENGTHS } from './fields.ts';

/** Maximum length of the text by which guests are searched, in UTF-16 code units. */
const LONGEST_SEARCH = 100;

const searched: FieldType<string | undefined> = {
  read(name, value) {
    return queryTypes.text(LONGEST_SEARCH).read(name, value)?.slice(0, LONGEST_SEARCH).toWellFormed();
  },
  schema: {
    type: 'string',
    description:
      'Words of a name in any order, or part of a phone number. Spelling, vowel signs, hyphens and capitals don’t matter.',
  },
};

/** Query parameters that filter an event's guests, the same for the list, the export and bulk changes. */
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
    '`true`: guests who come with more people than their party and the plus-ones that they may bring; `false`: the others.',
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
