/** Values this short are hidden only where they stand as a word of their own: hiding each "1" would hide the log. */
export const SHORT = 6;
/** What is longer is looked for in pieces of this length. */
const PIECE = 64;
/** Letters of a line of base64 (RFC 2045). */
const WRAPPED = 76;
/** UTF-16 units of all parts together: what can be looked for takes memory and time, whatever variables there are. */
export const MOST_UNITS = 2 ** 18;

export interface SecretParts {
  anywhere: string[];
  asWords: string[];
}

/**
 * What to look for to find values in a line: as they are, as they look in JSON, HTML, a shell's quotes, hexadecimal and
 * base64; of values of several lines each line as well, unless it is short. Each value in its turn adds a part until all are there, or
 * until that is MOST_UNITS: then a small value is there whole, and of large ones the beginning.
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
      // One that is known already took its time as well.
      units += part.length;
      if (units > MOST_UNITS) return { anywhere: [...anywhere], asWords: [...asWords] };
      (part.length < SHORT ? asWords : anywhere).add(part);
    }
    turns = unfinished;
  }
  return { anywhere: [...anywhere], asWords: [...asWords] };
}

/** Made one at a time, so that nothing is made of what there is no room for. */
function* partsOf(value: string): Generator<string, undefined> {
  if (value.length < SHORT) {
    if (value !== '') yield value;
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

/** Each form once, and none that is the value itself: most values look the same in most of them. */
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

/** As it is; as PHP has it; with what is not ASCII, or may end a script, by numbers, as Python, Go, Rails and .NET have it. */
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

/** Alone, and with something before and behind it, as `echo` and Basic authentication have it; in both alphabets. */
function* inBase64(value: string): Generator<string, undefined> {
  const bytes = Buffer.from(value);
  const text = bytes.toString('base64');
  yield text;
  yield* wrapped(text);
  for (const before of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    // Only what is made of its bits alone: six of them a letter.
    const stem = whole
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
    yield stem;
    yield stem.replaceAll('+', '-').replaceAll('/', '_');
  }
}

/** The lines that base64(1) and mail make of it, but for the last letters, which what stands behind may change. */
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

/** Every unit of the text is in one; the last is as long as the others, so it may begin in the one before. */
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

/** Not in the middle of a letter that takes two units. */
function wholeFrom(text: string, index: number): number {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;
}
