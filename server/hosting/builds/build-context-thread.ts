import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { readHead } from '../sandbox/folders.ts';
import type { ContextListing, ContextTask } from './build-context.ts';
import { type IgnoreRules, parseDockerignore, UnreadableIgnore } from './dockerignore.ts';

// Thread in which build-context.ts lists the files that a Dockerfile build sees.

const SLASH = Buffer.from('/');

/** Names of files below a folder, as bytes: they need not be valid text. */
async function* namesIn(folder: Buffer, ignored: IgnoreRules, below?: Buffer): AsyncGenerator<Buffer> {
  const at = below ? Buffer.concat([folder, SLASH, below]) : folder;
  for (const entry of await readdir(at, { withFileTypes: true, encoding: 'buffer' })) {
    const name = below ? Buffer.concat([below, SLASH, entry.name]) : entry.name;
    const isLeftOut = ignored.has(name.toString());
    if (!isLeftOut && (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())) yield name;
    if (entry.isDirectory() && (!isLeftOut || ignored.hasExceptions)) yield* namesIn(folder, ignored, name);
  }
}

const answer = async ({ folder, dockerfile }: ContextTask): Promise<ContextListing> => {
  const own = await readHead(join(folder, `${dockerfile}.dockerignore`));
  const usual = await readHead(join(folder, '.dockerignore'));
  try {
    const ignored = parseDockerignore(own ?? usual ?? '');
    const names = await Array.fromAsync(namesIn(Buffer.from(folder), ignored));
    // The list always has the Dockerfile, even if .dockerignore excludes it: the engine must read it.
    const file = Buffer.from(dockerfile);
    return { names: names.some((name) => name.equals(file)) ? names : [...names, file] };
  } catch (error) {
    if (error instanceof UnreadableIgnore) return { line: error.line };
    throw error;
  }
};

parentPort?.on('message', async (task: ContextTask) => parentPort?.postMessage(await answer(task)));
