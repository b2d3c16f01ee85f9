import * as fieldTypes from '../../kernel/field-types.ts';
import { LANGUAGES } from '../../kernel/languages.ts';
import { DEFAULT_NOTIFICATIONS } from './store.ts';

const mails = (description: string) => fieldTypes.withDescription(fieldTypes.yesOrNo(), description);

export const notificationFields = {
  language: {
    type: fieldTypes.withDescription(fieldTypes.oneOf(LANGUAGES), 'The language of these mails.'),
    empty: DEFAULT_NOTIFICATIONS.language,
  },
  deployment_failed: {
    type: mails('A mail when a deployment fails.'),
    empty: DEFAULT_NOTIFICATIONS.deployment_failed,
  },
  site_down: { type: mails('A mail when a site goes down.'), empty: DEFAULT_NOTIFICATIONS.site_down },
  site_up: { type: mails('A mail when a site is up again.'), empty: DEFAULT_NOTIFICATIONS.site_up },
} as const satisfies fieldTypes.FieldTable;
