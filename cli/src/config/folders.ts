import { homedir } from 'node:os';
import { join } from 'node:path';

// Folders of the XDG Base Directory Specification (https://specifications.freedesktop.org/basedir-spec/latest/).

export function configFolder(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'simcha');
}

export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'simcha');
}
