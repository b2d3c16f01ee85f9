import { LONGEST_EMAIL } from '../kernel/fields.ts';
import { isMailAddress } from '../kernel/mail/address.ts';
import { isOneLine } from '../kernel/one-line.ts';
import * as takes from '../kernel/field-types.ts';
import { MOST_TRIES } from './codes.ts';
import { LONGEST_INVITATION } from './invitations.ts';
import { messages } from './messages.ts';

const LONGEST_CODE = 100;
const LONGEST_KEY_NAME = 100;

/** As it was written: it is found in any case of its letters. */
const address: takes.FieldType<string> = {
  read: takes.only(takes.text(LONGEST_EMAIL), isMailAddress, messages.email).read,
  schema: { type: 'string', format: 'email', maxLength: LONGEST_EMAIL },
};
const email = { takes: takes.filled(address) };
const code = {
  takes: takes.described(
    takes.filled(takes.text(LONGEST_CODE)),
    `As mailed, \`XXXX-XXXX\`; small letters and spaces do no harm. It works once and for 15 minutes; ${MOST_TRIES.handle} wrong tries by whoever asked for it end it.`,
  ),
};

/** Whom a verification is about, where its body says so. */
export const subjectFields = {
  email: { takes: takes.orNull(address), empty: null },
  user_id: { takes: takes.orNull(takes.uuid(messages.userId)), empty: null },
} as const satisfies takes.FieldTable;

export const verificationFields = { code, ...subjectFields } as const satisfies takes.FieldTable;
const invitation = {
  takes: takes.described(
    takes.orNull(takes.text(LONGEST_INVITATION)),
    'What an operator made for this address, where new users need one.',
  ),
  empty: null,
};

export const addressFields = { email } as const satisfies takes.FieldTable;
export const registrationFields = { email, invitation } as const satisfies takes.FieldTable;
const requestId = {
  takes: takes.described(
    takes.orNull(takes.text(LONGEST_CODE)),
    'The `request_id` that the answer to the request for a code gave. Wrong tries then count against that request alone. Browsers have it in a cookie.',
  ),
  empty: null,
};
export const signInFields = {
  email,
  code,
  request_id: requestId,
  invitation,
} as const satisfies takes.FieldTable;

const keyName = takes.only(takes.text(LONGEST_KEY_NAME), isOneLine, messages.keyName);
export const keyFields = { name: { takes: takes.filled(keyName) } } as const satisfies takes.FieldTable;
