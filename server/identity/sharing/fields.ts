import * as fieldTypes from '../../kernel/field-types.ts';

/** Field of the mail address with which an event or application is shared. */
export const invitedEmail = {
  type: fieldTypes.nonEmpty(fieldTypes.mailAddress()),
  shown: 'In lower case: the address they sign in with.',
  example: 'itai@example.com',
  label: { he: 'כתובת המייל', ar: 'البريد الإلكتروني', en: 'Email' },
} as const;
