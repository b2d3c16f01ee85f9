import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { extract, pack } from 'tar-stream';

// Template of the embedded database: the files of a new one whose tables exist. The build makes it
// (commands/template.ts), because making it takes seconds: PostgreSQL's initdb runs in WebAssembly.

const BUILT = new URL('../../../dist/', import.meta.url).pathname;
const MIGRATIONS = new URL('../../migrations/', import.meta.url).pathname;
/** Packages that make files or tables of the database. */
const PACKAGES = ['@electric-sql/pglite', 'pg-boss'];

/**
 * Path of the template in `folder`. Its name contains a hash of all that its content depends on, so a template of other
 * migrations, or of another PGlite, is not found.
 */
export async function templatePath(folder = BUILT): Promise<string> {
  const hash = createHash('sha256');
  const sources = await Array.fromAsync(glob('*.ts', { cwd: MIGRATIONS, exclude: ['*.test.ts'] }));
  for (const name of sources.sort()) hash.update(name).update(await readFile(join(MIGRATIONS, name)));
  for (const name of PACKAGES) hash.update(name).update(versionOf(name));
  return join(folder, `database-${hash.digest('hex').slice(0, 32)}.tar.zst`);
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.resolve(name)), 'utf8')).version;
}

/** Packs a closed database's folder into a template. */
export async function writeTemplate(folder: string, path: string): Promise<void> {
  const archive = pack();
  const written = pipeline(archive, createZstdCompress(), createWriteStream(path));
  for await (const entry of glob('**', { cwd: folder, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const name = file.slice(folder.length + 1);
    if (name === '') continue;
    if (entry.isDirectory()) archive.entry({ name, type: 'directory' });
    else archive.entry({ name }, await readFile(file));
  }
  archive.finalize();
  await written;
}

/** Unpacks the template into a new folder; returns false if the build made none that fits this server. */
export async function unpackTemplate(folder: string, from?: string): Promise<boolean> {
  const path = await templatePath(from);
  if (!existsSync(path)) return false;
  mkdirSync(folder, { mode: 0o700 });
  const entries = extract();
  const unpacked = pipeline(createReadStream(path), createZstdDecompress(), entries);
  for await (const entry of entries) {
    const { name, type } = entry.header;
    const file = join(folder, name);
    // The files are written synchronously: there are more than a thousand, most of them small.
    if (type === 'directory') mkdirSync(file, { recursive: true, mode: 0o700 });
    else writeFileSync(file, await buffer(entry), { mode: 0o600 });
    entry.resume();
  }
  await unpacked;
  return true;
}
