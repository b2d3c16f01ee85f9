import * as fieldTypes from '../../kernel/field-types.ts';
import type { Volume } from '../model/volume.ts';
import { messages } from './messages.ts';

export const MOST_VOLUMES = 10;
const LONGEST_PATH = 200;

/** System folders, in which no volume may lie. */
const TAKEN = new Set([
  'bin',
  'boot',
  'dev',
  'etc',
  'home',
  'lib',
  'lib32',
  'lib64',
  'libx32',
  'proc',
  'root',
  'run',
  'runtime',
  'sbin',
  'sys',
  'tmp',
  'usr',
]);

/** Folder of the repository; a volume may lie below it, but not replace it. */
const SITE = '/app';

/** Fields for creating a volume. */
export const volumeFields = {
  name: {
    type: fieldTypes.nonEmpty(fieldTypes.matching(fieldTypes.text(30), '^[a-z][a-z0-9-]*$', messages.name)),
  },
  path: {
    type: fieldTypes.withDescription(
      fieldTypes.nonEmpty(
        fieldTypes.restricted(
          fieldTypes.matching(
            fieldTypes.text(LONGEST_PATH),
            '^(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+$',
            messages.path,
          ),
          (path) => path !== SITE && !TAKEN.has(path.split('/')[1] ?? ''),
          messages.path,
        ) as fieldTypes.FieldType<Volume['path']>,
      ),
      'Its path for the site’s processes.',
    ),
  },
} as const satisfies fieldTypes.FieldTable;
