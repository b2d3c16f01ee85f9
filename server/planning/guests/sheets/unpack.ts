import type { Readable } from 'node:stream';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { SHEET_LIMITS, SheetProblem } from './sheet.ts';

/**
 * Parts of a spreadsheet file: XML in a zip file, read as streams within limits. Entities that a file declares itself
 * are not expanded.
 */
export interface Unpacked {
  parts: ReadonlyMap<string, Entry>;
  /** Parses a file of the zip archive to its end. Throws a SheetProblem if the archive has no such file. */
  walk(entry: Entry | undefined, handlers: Handlers): Promise<void>;
  /**
   * Parses a file of the zip archive and pauses after each piece of its text, so that the caller can yield what the
   * handlers collected.
   */
  read(entry: Entry | undefined, handlers: Handlers): AsyncGenerator<void>;
  close(): void;
}

export interface Handlers {
  open: (tag: SaxesTagPlain) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

export async function openSpreadsheet(path: string): Promise<Unpacked> {
  const file = await openZip(path);
  try {
    return unpacked(file, await partsOf(file));
  } catch (error) {
    file.close();
    throw error;
  }
}

function unpacked(file: ZipFile, parts: ReadonlyMap<string, Entry>): Unpacked {
  const seen = new Map<Entry, number>();
  let total = 0;
  /**
   * Counts the unpacked bytes of all files in the zip archive. Bytes of a file that is read a second time are counted
   * once.
   */
  const count = (entry: Entry, bytes: number): void => {
    const more = bytes - (seen.get(entry) ?? 0);
    if (more <= 0) return;
    seen.set(entry, bytes);
    total += more;
    if (total > SHEET_LIMITS.unpackedBytes) throw new SheetProblem('too_large');
  };

  async function* read(entry: Entry | undefined, handlers: Handlers): AsyncGenerator<void> {
    if (!entry) throw new SheetProblem('broken');
    const parser = parserOf(handlers);
    for await (const piece of xmlOf(file, entry, (bytes) => count(entry, bytes))) {
      parser.write(piece);
      yield;
    }
    parser.finish();
    yield;
  }
  return {
    parts,
    read,
    async walk(entry, handlers) {
      for await (const _ of read(entry, handlers));
    },
    close: () => file.close(),
  };
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  } catch {
    throw new SheetProblem('broken');
  }
}

async function partsOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const parts = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (parts.size >= SHEET_LIMITS.parts) throw new SheetProblem('too_large');
      if (entry.isEncrypted()) throw new SheetProblem('encrypted');
      parts.set(entry.fileName.replace(/^\//, ''), entry);
    }
  } catch (error) {
    if (error instanceof SheetProblem) throw error;
    throw new SheetProblem('broken');
  }
  return parts;
}

/** XML parser for sheets. It refuses XML that is nested deeper than any sheet, or that has no tag for too long. */
function parserOf({ open, text, close }: Handlers) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let sinceTag = 0;
  parser.on('opentag', (tag) => {
    depth += 1;
    sinceTag = 0;
    if (depth > SHEET_LIMITS.depth) throw new SheetProblem('too_large');
    open(tag);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    sinceTag = 0;
    close?.(name);
  });
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  parser.on('error', () => {
    throw new SheetProblem('broken');
  });
  return {
    write(piece: string): void {
      parser.write(piece);
      // The XML parser keeps the text since the last tag in memory until the next tag, so its length is limited.
      sinceTag += piece.length;
      if (sinceTag > SHEET_LIMITS.tagCharacters) throw new SheetProblem('too_large');
    },
    finish: () => void parser.close(),
  };
}

/** Streams a file within the zip archive as text. `count` gets the number of bytes read so far. */
async function* xmlOf(file: ZipFile, entry: Entry, count: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let stream: Readable | undefined;
  let bytes = 0;
  try {
    stream = await file.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      count(bytes);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof SheetProblem) throw error;
    throw new SheetProblem('broken');
  } finally {
    stream?.destroy();
  }
}

/** Appends to the text of a cell. Throws a SheetProblem if the text gets longer than a cell may be. */
export function appendCellText(text: string, part: string): string {
  if (text.length + part.length > SHEET_LIMITS.cellCharacters) throw new SheetProblem('too_large');
  return text + part;
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
