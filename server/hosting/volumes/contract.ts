import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf } from '../../kernel/http/field-schemas.ts';
import { dateTimeOrNullSchema, dateTimeSchema, schemaRef } from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam } from '../applications/contract.ts';
import { volumeFields } from './fields.ts';

// Schemas of the routes of volumes, for validation, serialization, the API reference and types.

const example = {
  name: 'data',
  path: '/data',
  bytes: 40_960,
  backed_up_at: null,
  backup_bytes: null,
  created_at: '2026-11-21T08:00:00.000Z',
};

export const VolumeRecord = Type.Object(
  {
    name: Type.String(),
    path: Type.String({ description: 'Its path for the site’s processes, from their next start on.' }),
    bytes: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Its size on the disk; null if that is not available now.',
    }),
    backed_up_at: dateTimeOrNullSchema('When a whole backup was last downloaded.'),
    backup_bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'The size of that backup.' }),
    created_at: dateTimeSchema(),
  },
  { $id: 'Volume', examples: [example] },
);
export type VolumeRecord = Static<typeof VolumeRecord>;

export const sharedSchemas = [VolumeRecord];

const tags = ['volumes'];
const unreachable = { 503: listCodes('unhosted') };
const volumes = developerRoutes.resource({
  tags,
  called: 'volume',
  within: applicationParam,
  params: Type.Object({ ...applicationParam.properties, name: Type.String() }),
  record: VolumeRecord,
  errors: applicationErrors,
  shown: (description) => schemaRef(VolumeRecord, description),
});

export const listSchema = volumes.list(
  { operationId: 'listVolumes', summary: 'List volumes', answer: 'Ordered by name.' },
  'volumes',
);

export const addSchema = volumes.create(
  {
    operationId: 'addVolume',
    summary: 'Add a volume',
    description:
      'A folder that outlives releases. From the next start on, a version ends before the next one starts, because both would write to it.',
    answer: 'The volume, empty.',
    errors: { ...applicationErrors, 409: listCodes('volume_taken', 'too_many_volumes', 'key_running') },
  },
  bodyOf(volumeFields, { examples: [{ name: example.name, path: example.path }] }),
);

/** Error codes of operations on volumes that are refused unless the site is stopped. */
const UNLESS_STOPPED = ['site_runs', 'site_ends', 'command_runs'] as const;

export const readSchema = volumes.read({ operationId: 'readVolume', summary: 'Read a volume' });

export const removeSchema = volumes.remove({
  operationId: 'removeVolume',
  summary: 'Remove a volume',
  description: 'Deletes its content too. The site must be stopped.',
  errors: { ...applicationErrors, ...unreachable, 409: listCodes(...UNLESS_STOPPED) },
});

export const emptySchema = developerRoutes.post({
  tags,
  operationId: 'emptyVolume',
  summary: 'Empty a volume',
  description: 'The site must be stopped.',
  params: readSchema.params,
  response: { 200: schemaRef(VolumeRecord, 'The volume, empty.') },
  errors: {
    ...applicationErrors,
    ...unreachable,
    409: listCodes(...UNLESS_STOPPED, 'key_running'),
  },
});

const archive = { 'application/x-tar': { schema: { type: 'string', format: 'binary' } } };

export const backupSchema = developerRoutes.get({
  tags,
  operationId: 'backUpVolume',
  summary: 'Back up a volume',
  description:
    'Streams the whole volume as a tar archive. The site may keep running; files written during the backup may be incomplete.',
  params: readSchema.params,
  response: { 200: { description: 'The archive.', content: archive } },
  errors: { ...applicationErrors, ...unreachable },
});

export const restoreSchema = developerRoutes.put({
  tags,
  operationId: 'restoreVolume',
  summary: 'Restore a volume',
  description:
    'Replaces the whole content with the archive’s; on failure nothing changes. The site must be stopped.',
  params: readSchema.params,
  body: Type.Unsafe({ content: archive }),
  response: { 200: schemaRef(VolumeRecord, 'The volume as it is now.') },
  errors: {
    ...applicationErrors,
    ...unreachable,
    400: listCodes('no_archive'),
    409: listCodes(...UNLESS_STOPPED),
    413: 'For an archive that is larger than APPS_DISK_MB.',
    415: 'For anything but application/x-tar.',
  },
});
