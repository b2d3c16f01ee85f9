import { type Application, type Client, type Deployment, readDeployment, uploadSource } from 'simcha-client';
import { CommandError, usageError } from '../errors.ts';
import { fileAsBlob } from '../file-blob.ts';
import { counted } from '../output/counted.ts';
import type { Output } from '../output/output.ts';
import { bytesText } from '../output/time.ts';
import type { Server } from '../server.ts';

/** What an upload takes: a folder, or an archive of its content. */
export type Upload = { dir: string } | { archive: string };

interface UploadOptions {
  dir?: string;
  archive?: string;
  preview?: string;
}

interface Target {
  server: Server;
  client: Client;
  output: Output;
  application: Application;
  path: { uuid: string };
}

/**
 * Upload that the options ask for. Without any option, an application whose source is uploads gets the folder of
 * `.simcha.json`; undefined for an application with a repository.
 */
export function uploadOf(
  options: UploadOptions & { commit?: string; branch?: string; tag?: string; image?: string },
  { server: { project }, application }: Pick<Target, 'server' | 'application'>,
): Upload | undefined {
  const { dir, archive, preview, commit, branch, tag, image } = options;
  const isLinked = project?.application === application.application_uuid;
  const isAsked = dir !== undefined || archive !== undefined;
  const isNamed = [commit, branch, tag, image, preview].some((value) => value !== undefined);
  if (isAsked && preview !== undefined) throw usageError('A folder can’t be uploaded to a preview.');
  if (archive !== undefined) return { archive };
  if (dir !== undefined) return { dir };
  return application.source === 'upload' && isLinked && !isNamed ? { dir: project.folder } : undefined;
}

/** Uploads a folder or an archive, and requests its deployment. */
export async function deployUpload({ client, output, path }: Target, upload: Upload): Promise<Deployment> {
  const body = 'archive' in upload ? await fileAsBlob(upload.archive) : await packed(upload.dir, output);
  const { data } = await uploadSource({ client, path, query: { deploy: true }, body });
  const { deployment_uuid: deployment } = data;
  if (deployment !== null) return (await readDeployment({ client, path: { ...path, deployment } })).data;
  throw new CommandError('The folder was uploaded, but no deployment began.', {
    hint: 'Deploy it: simcha deploy',
  });
}

async function packed(folder: string, output: Output): Promise<Blob> {
  const { archiveFolder } = await import('../folder-archive.ts');
  const { content, files, secrets } = await archiveFolder(folder);
  if (files === 0) throw usageError(`There is nothing to upload in ${folder}.`);
  if (secrets.length > 0)
    output.note(`Left out: ${secrets.join(', ')}. Set their variables: simcha env import <file>`);
  output.note(`Uploading ${counted(files, 'file')}, ${bytesText(content.size)} …`);
  return content;
}
