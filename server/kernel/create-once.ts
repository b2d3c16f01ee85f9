import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file (mode 0600) unless it exists. If several processes write it at once, the file of the first one stays;
 * no reader finds half a file.
 */
export async function createOnce(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    // The file gets its name by a hard link, which fails if the path exists. A rename would replace the existing file.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
