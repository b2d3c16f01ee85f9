import type { FieldTable } from '../../kernel/takes.ts';
import { variables } from '../applications/environment.ts';
import { branchName } from '../applications/fields.ts';

/** What a preview is made by. */
export const previewFields = {
  branch: { takes: branchName },
  env: { takes: variables, empty: {} },
} as const satisfies FieldTable;
