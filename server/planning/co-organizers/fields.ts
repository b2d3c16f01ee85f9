import * as fieldTypes from '../../kernel/field-types.ts';

/** What a co-organizer may do: look, or change everything but the sharing itself and the event's end by deletion. */
const access = fieldTypes.oneOf(['view', 'edit']);
export const accessField = { access: { type: access } };

/** Whom an event is shared with. Without an `access` they may look. */
export const coOrganizerFields = {
  email: {
    type: fieldTypes.filled(fieldTypes.mailAddress()),
    shown: 'In small letters: the address they sign in with.',
    example: 'itai@example.com',
    label: { he: 'כתובת המייל', ar: 'البريد الإلكتروني', en: 'Email' },
  },
  access: {
    type: fieldTypes.orDefault(access, 'view'),
    empty: 'view',
    example: 'edit',
    label: { he: 'ההרשאה', ar: 'الصلاحية', en: 'Access' },
  },
} as const;
export type Invitation = fieldTypes.ValuesOf<typeof coOrganizerFields>;
