/** File of a folder to upload, with its path below the folder. */
export interface FolderFile {
  path: string;
  file: File;
}

const BLOCK = 512;
const LONGEST_NAME = 100;
const PAX = 'x';
const FILE = '0';

/**
 * Packs files as a tar archive (POSIX.1-2001). The files themselves are read only while the archive is sent. Paths that
 * don't fit into a header, or are not ASCII, have an extended one.
 */
export function tarOf(files: readonly FolderFile[]): Blob {
  const parts: (Blob | Uint8Array<ArrayBuffer>)[] = [];
  for (const { path, file } of files) {
    const bytes = new TextEncoder().encode(path);
    if (bytes.length > LONGEST_NAME || bytes.length > path.length) {
      const extended = new TextEncoder().encode(paxRecord('path', path));
      parts.push(header('pax', extended.length, PAX), extended, padding(extended.length));
    }
    parts.push(header(asciiName(path), file.size, FILE), file, padding(file.size));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return new Blob(parts, { type: 'application/x-tar' });
}

const asciiName = (path: string): string => path.replace(/[^\x20-\x7e]/g, '_').slice(-LONGEST_NAME);

/** Record of an extended header: it begins with its own length in bytes. */
function paxRecord(key: string, value: string): string {
  const rest = new TextEncoder().encode(` ${key}=${value}\n`).length;
  let length = rest + 1;
  while (String(length).length + rest !== length) length = String(length).length + rest;
  return `${length} ${key}=${value}\n`;
}

function header(name: string, size: number, type: string): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const write = (text: string, at: number) => block.set(new TextEncoder().encode(text), at);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  write(name, 0);
  write(octal(0o644, 8), 100);
  write(octal(0, 8), 108);
  write(octal(0, 8), 116);
  write(octal(size, 12), 124);
  write(octal(0, 12), 136);
  // The checksum is made over a header that has spaces in the checksum's place.
  write('        ', 148);
  write(type, 156);
  write('ustar\0', 257);
  write('00', 263);
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const padding = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
