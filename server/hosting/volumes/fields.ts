import * as fieldTypes from '../../kernel/field-types.ts';
import type { Volume } from '../model/volume.ts';
import { messages } from './messages.ts';

/** Maximum number of volumes of an environment. */
export const MOST_VOLUMES = 10;
/** Maximum length of a volume's path, in UTF-16 code units. */
const LONGEST_PATH = 200;

/** Folders of the operating system, in which no volume may lie. */
const SYSTEM_FOLDERS = new Set([
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

/** Folder with the site's files. A volume may lie below it, but not take its place. */
const SITE = '/app';

/** Fields of a request to add a volume. */
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
          (path) => path !== SITE && !SYSTEM_FOLDERS.has(path.split('/')[1] ?? ''),
          messages.path,
        ) as fieldTypes.FieldType<Volume['path']>,
      ),
      'Its path for the site’s processes.',
    ),
  },
} as const satisfies fieldTypes.FieldTable;
