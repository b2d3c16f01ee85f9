import type { FieldTable } from '../../kernel/field-types.ts';
import { variablesField } from '../applications/environment.ts';
import { branchName } from '../applications/fields.ts';

export const previewFields = {
  branch: { type: branchName },
  env: { type: variablesField, empty: {} },
} as const satisfies FieldTable;
