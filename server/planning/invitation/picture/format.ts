import { open } from 'node:fs/promises';
import type { PictureComplaint } from './sizes.ts';

const HEAD_BYTES = 64;

/**
 * Checks the format of an uploaded picture by its first bytes. Returns the reason to refuse a format that is not
 * accepted, so that it is never decoded.
 */
export async function complaintAbout(path: string): Promise<PictureComplaint | undefined> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return complaintAboutHead(buffer.subarray(0, bytesRead));
}

export function complaintAboutHead(head: Buffer): PictureComplaint | undefined {
  const at = (offset: number, text: string) => head.toString('latin1', offset, offset + text.length) === text;
  const isKnown = at(0, '\xff\xd8\xff') || at(0, '\x89PNG\r\n\x1a\n') || (at(0, 'RIFF') && at(8, 'WEBP'));
  if (isKnown) return undefined;
  // A HEIC file begins with a file type box that lists brands (ISO 14496-12). Apple's phones write HEIC, but it has no
  // decoder that may be distributed freely.
  if (!at(4, 'ftyp')) return 'format';
  const brands = head.toString('latin1', 8);
  if (/avi[fs]/.test(brands)) return undefined;
  return /hei[cxms]|hev[cxms]|mif1/.test(brands) ? 'heic' : 'format';
}
