/** Values shorter than this are hidden only as separate words: hiding each "1" would hide the log. */
export const SHORT = 6;
/** Values shorter than this are in too many lines to be hidden, and easily guessed. */
const SHORTEST = 4;
/** Values of ordinary settings, such as NODE_ENV, DEBUG or LIMIT, which are no secrets. */
const ORDINARY = /^(true|false|production|development|\d{1,5})$/;
/** Length of the pieces in which longer secret values are searched for. */
const PIECE = 64;
/** Line length of wrapped base64 (RFC 2045). */
const WRAPPED = 76;
/**
 * Size limit for all search patterns together, in UTF-16 code units; it bounds the search's memory and time, whatever
 * the number of variables.
 */
export const MOST_UNITS = 2 ** 18;

export interface SecretParts {
  anywhere: string[];
  asWords: string[];
}

/**
 * Search patterns for secret values: plain, and as encoded in JSON, HTML, shell quotes, hexadecimal and base64; for
 * values with several lines also each line, unless it is short. Values that are no secrets are left out. The values
 * take turns, one pattern each, until all patterns are added or MOST_UNITS is reached; then small values are included
 * completely, and large ones from their beginning on.
 */
export function secretParts(values: Iterable<string>): SecretParts {
  const anywhere = new Set<string>();
  const asWords = new Set<string>();
  let turns = [...values].map((value) => partsOf(value.toWellFormed().trim()));
  for (let units = 0; turns.length > 0; ) {
    const unfinished: typeof turns = [];
    for (const turn of turns) {
      const { value: part, done } = turn.next();
      if (done) continue;
      unfinished.push(turn);
      // Patterns that are found a second time count towards the limit as well, because it takes time to make them.
      units += part.length;
      if (units > MOST_UNITS) return { anywhere: [...anywhere], asWords: [...asWords] };
      (part.length < SHORT ? asWords : anywhere).add(part);
    }
    turns = unfinished;
  }
  return { anywhere: [...anywhere], asWords: [...asWords] };
}

/** Patterns for a secret value are generated one at a time, so that no work is done beyond the limit. */
function* partsOf(value: string): Generator<string, undefined> {
  if (value.length < SHORTEST || ORDINARY.test(value)) return;
  if (value.length < SHORT) {
    yield value;
    return;
  }
  const lines = () => linesOf(value).filter((line) => line.length >= SHORT);
  for (const line of lines()) yield* pieces(line);
  for (const form of formsOf(value)) yield* pieces(form);
  for (const line of lines()) {
    if (line === value) return;
    for (const form of formsOf(line)) yield* pieces(form);
  }
}

/** Yields each encoding once, and none that equals the value: most values look the same in most encodings. */
function* formsOf(value: string): Generator<string, undefined> {
  const known = new Set([value]);
  for (const form of allForms(value)) {
    if (known.has(form)) continue;
    known.add(form);
    yield form;
  }
}

function* allForms(value: string): Generator<string, undefined> {
  yield* inJson(value);
  yield* inBase64(value);
  for (const quote of ["'\\''", `'"'"'`]) yield value.replaceAll("'", quote);
  yield* inHtml(value);
  const hex = Buffer.from(value).toString('hex');
  yield hex;
  yield hex.toUpperCase();
}

/**
 * Yields the forms that a secret has in JSON, so that each of them is hidden in logs: as JavaScript writes it; as PHP
 * does, which escapes slashes; and as Python, Go, Rails and .NET do, with \u escapes for characters that are not ASCII
 * or may end a script.
 */
function* inJson(value: string): Generator<string, undefined> {
  const plain = JSON.stringify(value).slice(1, -1);
  yield plain;
  yield plain.replaceAll('/', '\\/');
  for (const marks of [/[^\x20-\x7e]/g, /[^\x20-\x7e]|[<>&]/g, /[^\x20-\x7e]|[<>&'+]/g]) {
    yield plain.replace(marks, byNumber);
    yield plain.replace(marks, (one) => byNumber(one).toUpperCase().replace('\\U', '\\u'));
  }
}

function byNumber(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function* inHtml(value: string): Generator<string, undefined> {
  const plain = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  yield plain;
  for (const [double, single] of [
    ['&quot;', "'"],
    ['&quot;', '&#39;'],
    ['&quot;', '&#x27;'],
    ['&quot;', '&#039;'],
    ['&#34;', '&#39;'],
  ] as const) {
    yield plain.replaceAll('"', double).replaceAll("'", single);
  }
}

/**
 * Base64 of the value alone, and with other bytes before and after it, as in `echo` and Basic authentication; in both
 * alphabets.
 */
function* inBase64(value: string): Generator<string, undefined> {
  const bytes = Buffer.from(value);
  const text = bytes.toString('base64');
  yield text;
  yield* wrapped(text);
  for (const before of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    // One base64 letter holds six bits. Only letters whose bits all come from the secret value are kept: the others
    // depend on the bytes beside it.
    const stem = whole
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
    yield stem;
    yield stem.replaceAll('+', '-').replaceAll('/', '_');
  }
}

/** Lines of base64 as wrapped by base64(1) and mail, without the last letters, which following bytes may change. */
function* wrapped(text: string): Generator<string, undefined> {
  if (text.length <= WRAPPED) return;
  for (let start = 0; start < text.length; start += WRAPPED) {
    const line = text.slice(start, start + WRAPPED);
    const certain = line.length === WRAPPED ? line : line.slice(0, -4);
    if (certain.length >= SHORT) yield certain;
  }
}

function* linesOf(text: string): Generator<string, undefined> {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  for (let start = 0; start < lines.length; ) {
    const found = lines.indexOf('\n', start);
    const end = found < 0 ? lines.length : found;
    yield lines.slice(start, end).trim();
    start = end + 1;
  }
}

/** Parts that together cover the text; the last one has full length, so it may overlap the part before. */
function* pieces(text: string): Generator<string, undefined> {
  if (text.length <= PIECE) {
    yield text;
    return;
  }
  for (let start = 0; start < text.length; ) {
    const from = wholeFrom(text, Math.min(start, text.length - PIECE));
    const end = wholeFrom(text, from + PIECE);
    yield text.slice(from, end);
    start = end;
  }
}

/** Moves an index out of the middle of a surrogate pair. */
function wholeFrom(text: string, index: number): number {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;
}
