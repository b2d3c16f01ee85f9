import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { queryOf } from '../../kernel/http/resource.ts';
import { dateTimeSchema, schemaRef, uuidSchema } from '../../kernel/http/shapes.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { applicationErrors, applicationParam } from '../applications/contract.ts';
import type { Upload as StoredUpload } from '../model/upload.ts';

/** Schemas of the routes of uploaded folders. */

const folder = {
  sha256: Type.String({
    description: 'SHA-256 of paths, contents and modes: the same for the same folder, however it was packed.',
  }),
  files: Type.Integer({ description: 'Number of files and links.' }),
  bytes: Type.Integer({ description: 'Size of all files together.' }),
  uploaded_at: dateTimeSchema(),
};

export const Upload = Type.Object(folder, { $id: 'Upload' });

export const UploadedSource = Type.Object(
  {
    application_uuid: uuidSchema(),
    ...folder,
    deployment_uuid: Type.Union([uuidSchema(), Type.Null()], {
      description: 'The deployment that `deploy=true` requested.',
    }),
  },
  { $id: 'UploadedSource' },
);
export type UploadedSource = Static<typeof UploadedSource>;

export const sharedSchemas = [Upload, UploadedSource];

/** Data about an uploaded folder as API responses show it: without the upload's id. */
export function presentUpload({ upload_id: _, ...shown }: StoredUpload): Static<typeof Upload> {
  return shown;
}

export const uploadQuery = { deploy: queryTypes.flag('Deploys the folder at once.') };

const about = { tags: ['applications'], params: applicationParam };

export const uploadSchema = developerRoutes.put({
  ...about,
  operationId: 'uploadSource',
  summary: 'Upload a folder',
  description:
    'The body is a tar, tar.gz or zip archive of the folder’s content. Paths and links must stay inside the folder; `.git` is ' +
    'left out. The next deployment deploys the newest folder.',
  querystring: queryOf(uploadQuery),
  response: { 201: schemaRef(UploadedSource, 'The folder is stored.') },
  errors: {
    ...applicationErrors,
    400: listCodes('no_archive', 'bad_entry', 'invalid_field'),
    403: listCodes('forbidden', 'unverified'),
    409: listCodes('source_is_repository', 'source_is_image'),
    413: true,
    415: true,
  },
  body: Type.Unsafe({
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  }),
});

export const readUploadSchema = developerRoutes.get({
  ...about,
  operationId: 'readSource',
  summary: 'Read the newest uploaded folder',
  response: { 200: schemaRef(UploadedSource, 'What would be deployed.') },
  errors: applicationErrors,
});
