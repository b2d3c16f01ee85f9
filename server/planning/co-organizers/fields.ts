import { invitedEmail } from '../../identity/sharing/fields.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { SHARED_ACCESS } from '../events/access.ts';

/** Access of a co-organizer. `edit` is everything except the sharing itself and the deletion of the event. */
const access = fieldTypes.withDescription(
  fieldTypes.oneOf(SHARED_ACCESS),
  '`view_without_contacts`: without guests’ phone numbers, email addresses, notes, links, messages and history; without vendors, budget and other co-organizers.',
);
export const accessField = { access: { type: access } };

/** Fields of a co-organizer. The default `access` is view. */
export const coOrganizerFields = {
  email: invitedEmail,
  access: {
    type: fieldTypes.orDefault(access, 'view'),
    empty: 'view',
    example: 'edit',
    label: { he: 'ההרשאה', ar: 'الصلاحية', en: 'Access' },
  },
} as const;
export type CoOrganizerInput = fieldTypes.ValuesOf<typeof coOrganizerFields>;
