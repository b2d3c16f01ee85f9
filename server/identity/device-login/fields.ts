import * as fieldTypes from '../../kernel/field-types.ts';
import { scopesField, tokenName } from '../access-tokens/fields.ts';

const LONGEST_CODE = 100;

const code = (description: string) => ({
  type: fieldTypes.withDescription(fieldTypes.nonEmpty(fieldTypes.text(LONGEST_CODE)), description),
});
const userCode = code('As the device shows it; lower case and spaces are accepted.');

export const deviceFields = {
  client: {
    type: fieldTypes.withDescription(
      tokenName,
      'Name of the device, which becomes the token’s name, such as “simcha on laptop”.',
    ),
  },
  scopes: scopesField,
} as const satisfies fieldTypes.FieldTable;

export const pollFields = {
  device_code: code('From the answer to `POST /api/auth/device`.'),
} as const satisfies fieldTypes.FieldTable;

export const userCodeFields = { user_code: userCode } as const satisfies fieldTypes.FieldTable;

export const decisionFields = {
  user_code: userCode,
  allow: { type: fieldTypes.withDescription(fieldTypes.yesOrNo(), 'false: the device is refused.') },
} as const satisfies fieldTypes.FieldTable;
