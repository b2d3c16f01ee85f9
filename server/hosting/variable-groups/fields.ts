import * as fieldTypes from '../../kernel/field-types.ts';
import { definitionChanges } from '../applications/variable-definitions.ts';
import { messages } from './messages.ts';

/** Maximum number of an owner's groups. */
export const MOST_GROUPS = 50;
export const MOST_GROUP_VARIABLES = 50;
/** Maximum number of groups that are linked to one application. */
export const MOST_LINKED = 5;
const LONGEST_NAME = 63;

const name = fieldTypes.matching(
  fieldTypes.text(LONGEST_NAME),
  '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
  messages.name,
);
const variables = fieldTypes.withDescription(
  definitionChanges(MOST_GROUP_VARIABLES),
  `By name; null deletes a variable. At most ${MOST_GROUP_VARIABLES}.`,
);

/** Fields of a request that creates a group. */
export const groupFields = {
  name: { type: name },
  variables: { type: variables, empty: {} },
} as const satisfies fieldTypes.FieldTable;

/** Fields of a request that changes a group. */
export const changedFields = {
  name: { type: name },
  variables: { type: variables },
} as const satisfies fieldTypes.FieldTable;

export type NewGroup = fieldTypes.ValuesOf<typeof groupFields>;
export type GroupChanges = Partial<fieldTypes.ValuesOf<typeof changedFields>>;
