import type * as takes from '../../kernel/field-types.ts';
import { type Fields, fieldsOf, invalidField, refuseUnknown } from '../../kernel/fields.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import type { Words } from '../../kernel/languages.ts';
import { type QueryValues, readQuery } from '../../kernel/query-types.ts';
import { guestFilter } from './filter.ts';
import { messages } from './messages.ts';

const MOST_NAMED = 10_000;

/** Type of a list of ids without duplicates. `words` is the error message for a malformed list. */
export function idList(words: Words): takes.FieldType<string[] | undefined> {
  return {
    read(field, value) {
      const fits = Array.isArray(value) && value.length > 0 && value.length <= MOST_NAMED;
      if (!fits || !value.every((id) => typeof id === 'string' && isUuid(id))) {
        throw invalidField(field, words);
      }
      return [...new Set(value as string[])];
    },
    schema: {
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      minItems: 1,
      maxItems: MOST_NAMED,
    },
  };
}

const filter: takes.FieldType<QueryValues<typeof guestFilter>> = {
  read(field, value) {
    const fields = fieldsOf(value, field);
    refuseUnknown(Object.keys(guestFilter), fields, `${field}.`);
    return readQuery(guestFilter, fields, `${field}.`);
  },
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(guestFilter).map(([name, { schema }]) => [name, schema])),
    description: 'Filters as in the list of guests. An empty object selects all guests.',
  },
};

/**
 * Fields with which a body selects guests: by id, by filter, or with both. With both it selects the guests in the list
 * who match the filter.
 */
export const selectionFields = {
  guest_ids: {
    type: idList(messages.idsForm),
    empty: undefined,
    label: { he: 'אורחים', ar: 'الضيوف', en: 'Guests' },
  },
  filter: {
    type: filter,
    empty: readQuery(guestFilter, {}),
    label: { he: 'סינון', ar: 'التصفية', en: 'Filter' },
  },
} as const;
export type GuestSelection = takes.ValuesOf<typeof selectionFields>;

/** True if a request body selects guests. A body without a selection never means all guests. */
export function selectsGuests(fields: Fields): boolean {
  return fields.guest_ids !== undefined || fields.filter !== undefined;
}
