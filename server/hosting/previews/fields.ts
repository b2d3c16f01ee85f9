import type { FieldTable } from '../../kernel/takes.ts';
import { branchName } from '../applications/fields.ts';

/** What a preview is made by. */
export const previewFields = { branch: { takes: branchName } } as const satisfies FieldTable;
