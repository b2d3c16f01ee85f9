import * as fieldTypes from '../kernel/field-types.ts';
import { LONGEST_EMAIL } from '../kernel/fields.ts';
import { isMailAddress } from '../kernel/mail/address.ts';
import { MOST_TRIES } from './codes.ts';
import { LONGEST_INVITATION } from './invitations.ts';
import { identityMessages } from './messages.ts';

const LONGEST_CODE = 100;

/** Type of a mail address. It is stored as written; lookups ignore case. */
const address: fieldTypes.FieldType<string> = {
  read: fieldTypes.restricted(fieldTypes.text(LONGEST_EMAIL), isMailAddress, identityMessages.email).read,
  schema: { type: 'string', format: 'email', maxLength: LONGEST_EMAIL },
};
const email = { type: fieldTypes.nonEmpty(address) };
const code = {
  type: fieldTypes.withDescription(
    fieldTypes.nonEmpty(fieldTypes.text(LONGEST_CODE)),
    `As mailed, \`XXXX-XXXX\`; lower case and spaces are accepted. Valid once, for 15 minutes; ${MOST_TRIES.handle} wrong tries by the client that requested it end it.`,
  ),
};

/** Fields of a request body that name the account to verify: its mail address or its user's id. */
export const subjectFields = {
  email: { type: fieldTypes.orNull(address), empty: null },
  user_id: { type: fieldTypes.orNull(fieldTypes.uuid(identityMessages.userId)), empty: null },
} as const satisfies fieldTypes.FieldTable;

export const verificationFields = { code, ...subjectFields } as const satisfies fieldTypes.FieldTable;
const invitation = {
  type: fieldTypes.withDescription(
    fieldTypes.orNull(fieldTypes.text(LONGEST_INVITATION)),
    'An operator’s invitation for this address, if new users need one.',
  ),
  empty: null,
};

export const addressFields = { email } as const satisfies fieldTypes.FieldTable;
export const registrationFields = { email, invitation } as const satisfies fieldTypes.FieldTable;
const requestId = {
  type: fieldTypes.withDescription(
    fieldTypes.orNull(fieldTypes.text(LONGEST_CODE)),
    'The `request_id` from the answer to the request for a code: wrong tries then count only against that request. Browsers have it in a cookie.',
  ),
  empty: null,
};
export const signInFields = {
  email,
  code,
  request_id: requestId,
  invitation,
} as const satisfies fieldTypes.FieldTable;
