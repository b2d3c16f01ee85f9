import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config.ts';
import { createOnce } from './create-once.ts';
import { openDataFolder, unusablePath } from './data-folder.ts';

/**
 * Reads the secret in file `name` of the data folder (mode 0600), created on first use: 32 random bytes in base64url.
 * Two servers that start at once on one folder get the same secret.
 */
export async function storedSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const existing = await readIfThere(path);
  if (existing !== undefined) return existing;
  const { isFull } = await openDataFolder(dataDir);
  if (isFull) throw unusablePath(dataDir, { code: 'ENOSPC' });
  await createOnce(path, randomBytes(32).toString('base64url'));
  return readFile(path, 'utf8');
}

/** True if a secret is stored in the data folder: then a server or a command has run with this folder. */
export async function isSecretStored(dataDir: string, name: string): Promise<boolean> {
  return (await readIfThere(join(dataDir, name))) !== undefined;
}

async function readIfThere(path: string): Promise<string | undefined> {
  let secret: string;
  try {
    secret = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusablePath(path, error);
  }
  // An empty file of the secret is refused: it would be a secret that everybody knows.
  if (secret === '')
    throw new ConfigError(`${path} is empty; restore it, or remove it to have a new one made.`);
  return secret;
}
