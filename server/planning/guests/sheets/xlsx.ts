import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { LIMITS, SheetProblem } from './sheet.ts';

/**
 * The rows of the first sheet of an XLSX file (ECMA-376), read as a stream: a cell's text as a person would have
 * typed it. Entities a file declares for itself are not known here, so none can be expanded.
 */
export async function* xlsxRows(path: string): AsyncGenerator<string[]> {
  const file = await openZip(path);
  const zip: Unpacking = { file, unpacked: 0 };
  try {
    const parts = await partsOf(file);
    const sheet = await firstSheet(zip, parts);
    const shared = parts.get('xl/sharedStrings.xml');
    const strings = shared ? await sharedStrings(zip, shared) : [];
    yield* sheetRows(zip, sheet, strings);
  } finally {
    file.close();
  }
}

/** A file, and how many bytes of its parts were read so far. */
interface Unpacking {
  file: ZipFile;
  unpacked: number;
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
      if (parts.size >= LIMITS.parts) throw new SheetProblem('too_large');
      if (entry.isEncrypted()) throw new SheetProblem('encrypted');
      parts.set(entry.fileName.replace(/^\//, ''), entry);
    }
  } catch (error) {
    if (error instanceof SheetProblem) throw error;
    throw new SheetProblem('broken');
  }
  return parts;
}

/** The sheet the workbook names first; sheet files are numbered by when they were made. */
async function firstSheet(zip: Unpacking, parts: Map<string, Entry>): Promise<Entry> {
  let id: string | undefined;
  await walk(zip, parts.get('xl/workbook.xml'), {
    open: ({ name, attributes }) => {
      if (local(name) === 'sheet') id ??= attributes['r:id'] ?? attributes['ns0:id'];
    },
  });
  let target: string | undefined;
  await walk(zip, parts.get('xl/_rels/workbook.xml.rels'), {
    open: ({ name, attributes }) => {
      if (local(name) === 'Relationship' && attributes.Id === id) target = attributes.Target;
    },
  });
  const path = target && (target.startsWith('/') ? target.slice(1) : posix.join('xl', target));
  const sheet = parts.get(path ?? 'xl/worksheets/sheet1.xml') ?? parts.get('xl/worksheets/sheet1.xml');
  if (!sheet) throw new SheetProblem('broken');
  return sheet;
}

async function sharedStrings(zip: Unpacking, entry: Entry): Promise<string[]> {
  const strings: string[] = [];
  const text = textCollector();
  await walk(zip, entry, {
    open: (tag) => text.open(tag),
    text: (part) => text.add(part),
    close: (name) => {
      text.close(name);
      if (local(name) !== 'si') return;
      if (strings.length === LIMITS.sharedTexts) throw new SheetProblem('too_large');
      strings.push(text.take());
    },
  });
  return strings;
}

async function* sheetRows(
  zip: Unpacking,
  entry: Entry,
  strings: readonly string[],
): AsyncGenerator<string[]> {
  const done: string[][] = [];
  let row: string[] = [];
  let column = 0;
  let cells = 0;
  let type = '';
  let value = '';
  let inValue = false;
  const text = textCollector();
  const parser = parserOf({
    open: (tag) => {
      const name = local(tag.name);
      text.open(tag);
      if (name === 'row') {
        row = [];
        cells = 0;
      }
      if (name === 'v') inValue = true;
      if (name !== 'c') return;
      cells += 1;
      if (cells > LIMITS.rowCells) throw new SheetProblem('too_large');
      type = tag.attributes.t ?? '';
      value = '';
      text.take();
      column = columnOf(tag.attributes.r) ?? row.length;
    },
    text: (part) => {
      if (inValue) value = joined(value, part);
      text.add(part);
    },
    close: (tag) => {
      const name = local(tag);
      text.close(tag);
      if (name === 'v') inValue = false;
      if (name === 'c' && column < LIMITS.columns) {
        while (row.length < column) row.push('');
        row[column] = cellText(type, value, text.take(), strings);
      }
      if (name === 'row') done.push(row);
    },
  });
  for await (const piece of xmlOf(zip, entry)) {
    parser.write(piece);
    yield* done.splice(0);
  }
  parser.finish();
  yield* done.splice(0);
}

function cellText(type: string, value: string, inline: string, strings: readonly string[]): string {
  switch (type) {
    case 's':
      return strings[Number(value)] ?? '';
    case 'inlineStr':
      return inline;
    case 'str':
      return value;
    case 'b':
      return value === '1' ? 'true' : 'false';
    case 'e':
      return '';
    default:
      // 5.01234567E8 is a phone number in its cell.
      return value !== '' && Number.isFinite(Number(value)) ? String(Number(value)) : value;
  }
}

function joined(text: string, part: string): string {
  if (text.length + part.length > LIMITS.cellCharacters) throw new SheetProblem('too_large');
  return text + part;
}

/** `AB12` is the 28th column, counted from 0 here. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d*$/.exec(reference ?? '')?.[1];
  if (!letters) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The text of `t` elements, without the phonetic guides that may stand among them. */
function textCollector() {
  let collected = '';
  let inText = false;
  let inPhonetics = false;
  return {
    open({ name }: { name: string }) {
      if (local(name) === 't') inText = !inPhonetics;
      if (local(name) === 'rPh') inPhonetics = true;
    },
    add(part: string) {
      if (inText) collected = joined(collected, part);
    },
    close(name: string) {
      if (local(name) === 't') inText = false;
      if (local(name) === 'rPh') inPhonetics = false;
    },
    take(): string {
      const text = collected;
      collected = '';
      return text;
    },
  };
}

interface Handlers {
  open: (tag: SaxesTagPlain) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

async function walk(zip: Unpacking, entry: Entry | undefined, handlers: Handlers): Promise<void> {
  if (!entry) throw new SheetProblem('broken');
  const parser = parserOf(handlers);
  for await (const piece of xmlOf(zip, entry)) parser.write(piece);
  parser.finish();
}

/** A parser that gives up on XML that is deeper than any sheet, or that goes on and on without a tag. */
function parserOf({ open, text, close }: Handlers) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let sinceTag = 0;
  parser.on('opentag', (tag) => {
    depth += 1;
    sinceTag = 0;
    if (depth > LIMITS.depth) throw new SheetProblem('too_large');
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
      // What came since the last tag is kept by the parser until the next one.
      sinceTag += piece.length;
      if (sinceTag > LIMITS.tagCharacters) throw new SheetProblem('too_large');
    },
    finish: () => void parser.close(),
  };
}

async function* xmlOf(zip: Unpacking, entry: Entry): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let stream: Readable | undefined;
  try {
    stream = await zip.file.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      zip.unpacked += chunk.length;
      if (zip.unpacked > LIMITS.unpackedBytes) throw new SheetProblem('too_large');
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

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
