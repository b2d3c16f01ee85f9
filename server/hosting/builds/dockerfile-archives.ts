import { lstat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { headOf } from '../sandbox/folders.ts';
import { displayInstruction, type Instruction, wordsOf } from './dockerfile-text.ts';

// ADD unpacks archives in the engine, outside of any container, where no limit counts the result
// (https://github.com/moby/moby/blob/v20.10.24/pkg/archive/archive.go). The engine gets COPY instead, which copies an
// archive as it is; an ADD that would unpack is refused here.

const BLOCK = 512;
const CHECKSUM = { from: 148, to: 156 };
const SPACE = 0x20;
/** First bytes of bzip2, gzip, xz and zstd. */
const COMPRESSED = ['425a68', '1f8b08', 'fd377a585a00', '28b52ffd'].map((hex) => Buffer.from(hex, 'hex'));
/** First bytes of a skippable frame of zstd, after a byte whose lower four bits may be anything. */
const PASSED_OVER = Buffer.from('2a4d18', 'hex');
/** Characters of names that are only known during the build, or match several files. */
const PATTERN = /[$*?[\]\\"']/;

/**
 * Throws a RuntimeFailure for an ADD that unpacks an archive, or may do so. `names`: all files that the build sees in
 * `root`.
 */
export async function refuseUnpacking(
  instructions: readonly Instruction[],
  { root, names }: { root: string; names: readonly Uint8Array[] },
): Promise<void> {
  let archiveInContext: Promise<string | undefined> | undefined;
  for (const instruction of instructions) {
    if (instruction.keyword !== 'ADD') continue;
    for (const source of sourcesOf(instruction)) {
      const path = join(root, posix.normalize(`/${source}`));
      const isSure = !PATTERN.test(source) && !(await isBehindLink(root, path));
      if (!isSure) archiveInContext ??= firstArchive(root, names);
      const file = isSure ? (await isArchive(path)) && source : await archiveInContext;
      if (file)
        throw new RuntimeFailure(
          reason('dockerfile_unpacks', { line: displayInstruction(instruction), file }),
        );
    }
  }
}

function sourcesOf({ rest }: Instruction): string[] {
  const args = rest.replace(/^(?:--\S+\s+)+/, '');
  return (listIn(args) ?? wordsOf(args)).slice(0, -1);
}

function listIn(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True if a link is on the path: the engine resolves links within the context, so the link may lead elsewhere there
 * than here.
 */
async function isBehindLink(root: string, path: string): Promise<boolean> {
  let at = root;
  for (const part of path.slice(root.length).split(sep)) {
    at = join(at, part);
    const found = await lstat(at).catch(() => undefined);
    if (!found) return false;
    if (found.isSymbolicLink()) return true;
  }
  return false;
}

async function firstArchive(root: string, names: readonly Uint8Array[]): Promise<string | undefined> {
  for (const name of names) {
    const path = Buffer.concat([Buffer.from(`${root}/`), name]);
    if (await isArchive(path)) return Buffer.from(name).toString();
  }
  return undefined;
}

async function isArchive(path: string | Buffer): Promise<boolean> {
  const head = await headOf(path, BLOCK).catch(() => undefined);
  return head !== undefined && isArchivesHead(head);
}

/** True if a file's beginning is that of an archive. `head`: the first 512 bytes, or the whole file. */
function isArchivesHead(head: Buffer): boolean {
  const isCompressed = COMPRESSED.some((magic) => head.subarray(0, magic.length).equals(magic));
  const isPassedOver = ((head[0] ?? 0) & 0xf0) === 0x50 && head.subarray(1, 4).equals(PASSED_OVER);
  return isCompressed || isPassedOver || (head.length === BLOCK && isTarsHead(head));
}

/** True if it is the header of a tar archive, with or without a format name. */
function isTarsHead(head: Buffer): boolean {
  const { from, to } = CHECKSUM;
  const checksum = head.toString('latin1', from, to).replaceAll(/^[ \0]+|[ \0]+$/g, '');
  if (!/^[0-7]+$/.test(checksum)) return false;
  let sum = 0;
  let signed = 0;
  for (const [index, byte] of head.entries()) {
    const counted = index >= from && index < to ? SPACE : byte;
    sum += counted;
    signed += counted > 127 ? counted - 256 : counted;
  }
  const number = Number.parseInt(checksum, 8);
  return number === sum || number === signed;
}
