import { constants, openAsBlob } from 'node:fs';
import { access } from 'node:fs/promises';

/** Opens a file as the body of a request. The error of a file that can't be read names it, unlike that of `openAsBlob`. */
export async function fileAsBlob(path: string, options: { type?: string } = {}): Promise<Blob> {
  await access(path, constants.R_OK);
  return openAsBlob(path, options);
}
