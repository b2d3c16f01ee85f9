import * as fieldTypes from '../../kernel/field-types.ts';
import { isSingleLine } from '../../kernel/one-line.ts';
import { tokenMessages } from './messages.ts';
import { SCOPES, type Scope } from './scopes.ts';

const LONGEST_NAME = 100;
/** Maximum lifetime of a token that expires, in days. */
export const LONGEST_DAYS = 366;

export const tokenName = fieldTypes.nonEmpty(
  fieldTypes.restricted(fieldTypes.text(LONGEST_NAME), isSingleLine, tokenMessages.name),
);

/** Scopes of a new token; a field that is left out means `full`. */
export const scopesField: { type: fieldTypes.FieldType<Scope[]>; empty: Scope[] } = {
  type: fieldTypes.withDescription(
    fieldTypes.someOf(SCOPES),
    '`full` allows all that its user may do, and contains the others.',
  ),
  empty: ['full'],
};

const restriction = (description: string) => ({
  type: fieldTypes.withDescription(fieldTypes.orNull(fieldTypes.uuid(tokenMessages.subjectId)), description),
  empty: null,
});

export const tokenFields = {
  name: { type: tokenName },
  scopes: scopesField,
  application_id: restriction('The only application that the token allows; null: no such restriction.'),
  event_id: restriction('The only event that the token allows; null: no such restriction.'),
  expires_at: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.dateTime('UTC')),
      `UTC. Time when the token expires, at most ${LONGEST_DAYS} days ahead; null: it does not expire.`,
    ),
    empty: null,
  },
} as const satisfies fieldTypes.FieldTable;
