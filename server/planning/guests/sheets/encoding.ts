import { createReadStream } from 'node:fs';
import { readFirstBytes } from './head.ts';
import { SheetProblem } from './sheet.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1255';

/**
 * Detects the encoding of a text file: by its byte order mark; UTF-16 without one by its many zero bytes; UTF-8 if
 * the whole file is valid UTF-8; otherwise windows-1255, the encoding of Hebrew Windows.
 */
export async function detectEncoding(path: string): Promise<Encoding> {
  const head = await readFirstBytes(path, 4096);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // One zero byte alone is an error in an 8-bit text; only more of them are a sign of UTF-16.
  if (even + odd > Math.max(1, head.length / 20)) return odd >= even ? 'utf-16le' : 'utf-16be';
  return (await isUtf8(path)) ? 'utf-8' : 'windows-1255';
}

async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) decoder.decode(chunk as Buffer, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/**
 * Decodes a text file piece by piece, without the byte order mark. Throws a SheetProblem for bytes that are invalid in
 * the encoding.
 */
export async function* decodeFile(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const read = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new SheetProblem('undecodable');
    }
  };
  for await (const chunk of createReadStream(path)) {
    const text = read(chunk as Buffer);
    if (text) yield text;
  }
  const rest = read();
  if (rest) yield rest;
}
