import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import ignore, { type Ignore } from 'ignore';
import { type Pack, pack } from 'tar-stream';

export interface FolderArchive {
  /** The folder's content as tar.gz; the same content gives the same bytes. */
  content: Blob;
  files: number;
  /** Paths of files with secrets that were left out although no ignore file names them. */
  secrets: string[];
}

/** Names of folders and files that no server needs. */
const NEVER = new Set(['.git', '.hg', '.svn', '.DS_Store', '.simcha.json', 'node_modules']);
/** Files in which developers keep secrets; examples of such files have none. */
const SECRET = /^\.env(?:\.(?!example$|sample$|template$).+)?$/;
/** Files whose patterns say what is left out, in the format of git. */
const IGNORE_FILES = ['.gitignore', '.simchaignore'];

/** Ignore files of a folder, and the folder's path below the archived one. */
interface Rules {
  base: string;
  patterns: Ignore;
}

/**
 * Packs the content of a folder, apart from what `.gitignore` and `.simchaignore` name, `node_modules`, folders of
 * version control and `.env` files.
 */
export async function archiveFolder(folder: string): Promise<FolderArchive> {
  const archive = { files: 0, secrets: [] as string[] };
  const tar = pack();
  const chunks: Buffer<ArrayBuffer>[] = [];
  const collected = pipeline(tar, createGzip(), async (compressed) => {
    for await (const chunk of compressed) chunks.push(chunk);
  });
  const added = addFolder('', []).then(
    () => tar.finalize(),
    (error) => tar.destroy(error),
  );
  await Promise.all([collected, added]);
  return { content: new Blob(chunks, { type: 'application/gzip' }), ...archive };

  async function addFolder(path: string, above: readonly Rules[]): Promise<void> {
    const rules = [...above, ...(await rulesOf(folder, path))];
    const entries = await readdir(join(folder, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (NEVER.has(entry.name) || isIgnored(inside, entry.isDirectory(), rules)) continue;
      if (entry.isDirectory()) await addFolder(inside, rules);
      else if (SECRET.test(entry.name)) archive.secrets.push(inside);
      else if (await addEntry(tar, folder, inside)) archive.files += 1;
    }
  }
}

async function rulesOf(folder: string, base: string): Promise<Rules[]> {
  const texts = await Promise.all(
    IGNORE_FILES.map((name) => readFile(join(folder, base, name), 'utf8').catch(() => '')),
  );
  const patterns = texts.join('\n').trim();
  return patterns === '' ? [] : [{ base, patterns: ignore().add(patterns) }];
}

/** True if the innermost ignore file that names the path ignores it. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  let isOut = false;
  for (const { base, patterns } of rules) {
    const below = base === '' ? path : path.slice(base.length + 1);
    const { ignored, unignored } = patterns.test(isFolder ? `${below}/` : below);
    isOut = ignored || (isOut && !unignored);
  }
  return isOut;
}

/** Adds a file or a symbolic link; false for other kinds, such as sockets. */
async function addEntry(tar: Pack, folder: string, name: string): Promise<boolean> {
  const path = join(folder, name);
  const status = await lstat(path);
  const mtime = new Date(0);
  if (status.isSymbolicLink()) {
    tar.entry({ name, type: 'symlink', linkname: await readlink(path), mtime });
    return true;
  }
  if (!status.isFile()) return false;
  const { size } = status;
  const mode = status.mode & 0o100 ? 0o755 : 0o644;
  if (size === 0) tar.entry({ name, mode, mtime }, '');
  else await pipeline(createReadStream(path, { end: size - 1 }), tar.entry({ name, size, mode, mtime }));
  return true;
}
