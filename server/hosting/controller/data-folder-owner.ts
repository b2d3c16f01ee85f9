import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOnce } from '../../kernel/create-once.ts';

const FILE = 'whose';

/**
 * Whether a folder of sites is a database's by that identity: the first that asks for a folder has it from then on. What another
 * one knows of is not gone because this one does not know of it.
 */
export async function isOwnFolder(base: string, identity: string): Promise<boolean> {
  await mkdir(base, { recursive: true, mode: 0o700 });
  const file = join(base, FILE);
  await createOnce(file, identity);
  return (await readFile(file, 'utf8')).trim() === identity;
}
