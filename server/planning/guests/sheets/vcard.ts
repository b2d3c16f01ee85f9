import { decodeFile, detectEncoding } from './encoding.ts';
import { SHEET_LIMITS, type SheetPart, SheetProblem } from './sheet.ts';

// Contacts as phones export them: vCard 2.1 (Android), 3.0 (iPhone) and 4.0 (RFC 6350). A reader of its own, because parsers of
// vCard refuse 2.1, whose parameters have no names and whose Hebrew is quoted-printable.

/** Headings of the rows that cards become. */
const HEADINGS = ['Full name', 'First name', 'Last name', 'Phone', 'Email', 'Company', 'Labels', 'Note'];

/** Reads the cards of a file as rows below headings, as if they were in a spreadsheet. */
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
    } else if (card) add(card, name, value);
  }
}

/** Values of a card by property. */
type Card = Map<string, string[]>;
const MOST_VALUES = 20;

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

/** Properties whose long values are not read. */
const PICTURE = /^(?:PHOTO|LOGO|SOUND|KEY)[;:]/i;

/** Lines with their continuations: folded ones (RFC 6350, 3.2), and soft line breaks of quoted-printable. */
async function* contentLines(path: string): AsyncGenerator<string> {
  let line = '';
  let rest = '';
  for await (const piece of decodeFile(path, await detectEncoding(path))) {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const next of lines) {
      const soft = /^[^:]*quoted-printable[^:]*:/i.test(line) && line.endsWith('=');
      if (soft) line = line.slice(0, -1) + next.trimStart();
      else if (/^[ \t]/.test(next)) line += PICTURE.test(line) ? '' : next.slice(1);
      else {
        yield line;
        line = next;
      }
      if (line.length > SHEET_LIMITS.rowCharacters) throw new SheetProblem('row_too_large');
    }
    if (rest.length > SHEET_LIMITS.rowCharacters) throw new SheetProblem('row_too_large');
  }
  yield line;
  yield rest;
}

function propertyIn(line: string): { name: string; value: string } | undefined {
  const [, head = '', value = ''] = /^((?:[^":]|"[^"]*")*):(.*)$/s.exec(line) ?? [];
  const [full = '', ...parameters] = head.split(';');
  const name = full.replace(/^.*\./, '').trim().toUpperCase();
  if (name === '') return undefined;
  const isQuoted = parameters.some((one) => /^(?:encoding=)?(?:quoted-printable|q)$/i.test(one.trim()));
  return { name, value: isQuoted ? quotedPrintable(value, parameters) : value };
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
  return (
    value
      .match(separator === ';' ? /(?:\\.|[^;\\])*(?:;|$)/g : /(?:\\.|[^,\\])*(?:,|$)/g)
      ?.map((part) => (part.endsWith(separator) ? part.slice(0, -1) : part)) ?? [value]
  );
}

function unescaped(value: string): string {
  return value
    .replace(/\\([\\,;nN:])/g, (_, letter) => (letter.toLowerCase() === 'n' ? '\n' : letter))
    .trim();
}
