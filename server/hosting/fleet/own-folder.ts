import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'whose';

/**
 * Whether a folder of sites is a database's by that identity: the first that asks for a folder has it from then on. What another
 * one knows of is not gone because this one does not know of it.
 */
export async function isOwnFolder(base: string, identity: string): Promise<boolean> {
  await mkdir(base, { recursive: true, mode: 0o700 });
  const file = join(base, FILE);
  const whose = await readFile(file, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  // A power cut may have left it empty.
  if (whose === '') await writeFile(file, identity, { mode: 0o600 });
  return whose === '' || whose === identity;
}
