import { invitedEmail } from '../../identity/sharing/fields.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { SHARED_ROLES } from '../model/people.ts';

const role = fieldTypes.withDescription(
  fieldTypes.oneOf(SHARED_ROLES),
  '`look`: read everything but secrets; `deploy`: also deploy, restart, stop, scale, run commands and open previews; `administer`: everything but deleting the application and deciding who has access.',
);
export const roleField = { role: { type: role } };

/** Fields of a person with whom an application is shared. The default `role` is look. */
export const personFields = {
  email: invitedEmail,
  role: {
    type: fieldTypes.orDefault(role, 'look'),
    empty: 'look',
    example: 'deploy',
    label: { he: 'התפקיד', ar: 'الدور', en: 'Role' },
  },
} as const;
