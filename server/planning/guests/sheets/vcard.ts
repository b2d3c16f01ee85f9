import { decodeFile, detectEncoding } from './encoding.ts';
import { SHEET_LIMITS, type SheetPart, SheetProblem } from './sheet.ts';

// Contacts as phones export them: vCard 2.1 (Android), 3.0 (iPhone) and 4.0 (RFC 6350). A reader of its own, because
// parsers of vCard refuse 2.1, whose parameters have no names and whose Hebrew is quoted-printable.

/** Headings of the table that is made of a contacts file (vCard): each contact becomes a row. */
const HEADINGS = ['Full name', 'First name', 'Last name', 'Phone', 'Email', 'Company', 'Labels', 'Note'];

/** Reads the contacts of a vCard file as rows of a table with headings, as if they were in a spreadsheet. */
export async function* vcardRows(path: string): AsyncGenerator<SheetPart> {
  yield { sheet: '', isHidden: false };
  yield { row: 1, cells: [...HEADINGS] };
  let row = 1;
  let card: Card | undefined;
  for await (const line of contentLines(path)) {
    const property = propertyIn(line);
    if (!property) continue;
    const { name, value } = property;
    if (name === 'BEGIN') card = new Map();
    else if (name === 'END' && card) {
      row += 1;
      yield { row, cells: cellsOf(card) };
      card = undefined;
    } else if (card && PROPERTIES.has(name)) add(card, name, value);
  }
}

/** Values of one contact of a vCard file, by the name of the property (`TEL`, `EMAIL`). */
type Card = Map<string, string[]>;
const MOST_VALUES = 20;
/** Properties of a vCard contact that are read. Others are skipped: pictures, for example, can be long. */
const PROPERTIES: ReadonlySet<string> = new Set(['N', 'FN', 'TEL', 'EMAIL', 'ORG', 'CATEGORIES', 'NOTE']);

function add(card: Card, name: string, value: string): void {
  const values = card.get(name);
  if (!values) card.set(name, [value]);
  else if (values.length < MOST_VALUES) values.push(value);
}

function cellsOf(card: Card): string[] {
  const first = (name: string) => card.get(name)?.[0] ?? '';
  const [family = '', given = ''] = splitUnescaped(first('N'), ';');
  const [company = ''] = splitUnescaped(first('ORG'), ';');
  const all = (name: string) =>
    (card.get(name) ?? []).map((value) => unescaped(value).replace(/^(?:tel|mailto):/i, ''));
  const fullName = unescaped(first('FN')).trim();
  return [
    fullName,
    fullName ? '' : unescaped(given),
    fullName ? '' : unescaped(family),
    all('TEL').join(', '),
    all('EMAIL').join(', '),
    unescaped(company),
    (card.get('CATEGORIES') ?? [])
      .flatMap((value) => splitUnescaped(value, ','))
      .map(unescaped)
      .join(':::'),
    all('NOTE').join('\n'),
  ];
}

/** Line of a vCard file together with the lines that continue it. */
interface ContentLine {
  pieces: string[];
  length: number;
  /** True for a property's value in quoted-printable, where `=` at the end of a line means that the value goes on. */
  isQuoted: boolean;
  /** True if the line's property is none of those that are read (`PROPERTIES`), such as a picture. */
  isSkipped: boolean;
}

/**
 * Lines of a vCard file joined with their continuations: folded lines (RFC 6350, 3.2), and soft line breaks of
 * quoted-printable.
 */
async function* contentLines(path: string): AsyncGenerator<string> {
  let line = newLine('');
  for await (const next of physicalLines(path)) {
    const isSoft = line.isQuoted && line.pieces.at(-1)?.endsWith('=');
    if (isSoft) {
      line.pieces.push((line.pieces.pop() ?? '').slice(0, -1));
      append(line, next.trimStart());
    } else if (/^[ \t]/.test(next)) append(line, next.slice(1));
    else {
      if (!line.isSkipped) yield line.pieces.join('');
      line = newLine(next);
    }
  }
  if (!line.isSkipped) yield line.pieces.join('');
}

function newLine(text: string): ContentLine {
  const head = text.slice(0, text.indexOf(':') + 1);
  const [, name = ''] = /^(?:[\w-]+\.)?([\w-]+)[;:]/.exec(head) ?? [];
  return {
    pieces: [text],
    length: text.length,
    isQuoted: /quoted-printable/i.test(head),
    isSkipped: !PROPERTIES.has(name.toUpperCase()) && !/^(?:BEGIN|END):/i.test(head),
  };
}

function append(line: ContentLine, text: string): void {
  // Only the last piece of a skipped property is stored: its end tells whether the next line continues it.
  if (line.isSkipped) line.pieces = [text];
  else {
    line.pieces.push(text);
    line.length += text.length;
  }
  if (line.length > SHEET_LIMITS.rowCharacters) throw new SheetProblem('row_too_large');
}

async function* physicalLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of decodeFile(path, await detectEncoding(path))) {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > SHEET_LIMITS.rowCharacters) throw new SheetProblem('row_too_large');
  }
  yield rest;
}

function propertyIn(line: string): { name: string; value: string } | undefined {
  const end = endOfHead(line);
  const [full = '', ...parameters] = line.slice(0, Math.max(0, end)).split(';');
  const name = full
    .slice(full.lastIndexOf('.') + 1)
    .trim()
    .toUpperCase();
  if (name === '') return undefined;
  const value = line.slice(end + 1);
  const isQuoted = parameters.some((one) => /^(?:encoding=)?(?:quoted-printable|q)$/i.test(one.trim()));
  return { name, value: isQuoted ? quotedPrintable(value, parameters) : value };
}

/**
 * Index of the colon that ends a property's name and parameters in a vCard line. Quoted parameters can have colons too.
 */
function endOfHead(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (line[at] === ':' && !isQuoted) return at;
  }
  return -1;
}

function quotedPrintable(text: string, parameters: readonly string[]): string {
  const bytes = Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
  const [, charset = 'utf-8'] =
    /^charset=(.+)$/i.exec(parameters.find((one) => /^charset=/i.test(one)) ?? '') ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function splitUnescaped(value: string, separator: ';' | ','): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < value.length; at += 1) {
    if (value[at] === '\\') at += 1;
    else if (value[at] === separator) {
      parts.push(value.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, value.slice(start)];
}

function unescaped(value: string): string {
  return value
    .replace(/\\([\\,;nN:])/g, (_, letter) => (letter.toLowerCase() === 'n' ? '\n' : letter))
    .trim();
}
