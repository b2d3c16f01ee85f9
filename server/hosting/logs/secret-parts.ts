/** Values this short are hidden only where they stand as a word of their own: hiding each "1" would hide the log. */
export const SHORT = 6;
/** What is longer is looked for in pieces of this length. */
const PIECE = 64;
/** UTF-16 units of all parts together: what can be looked for takes memory and time, whatever variables there are. */
export const MOST_UNITS = 2 ** 18;

export interface SecretParts {
  anywhere: string[];
  asWords: string[];
}

/**
 * What to look for to find values in a line: as they are, as they look in JSON, in an address and in base64; of values
 * of several lines each line as well, unless it is short. Each value in its turn adds a part until all are there, or
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

function* formsOf(value: string): Generator<string, undefined> {
  yield JSON.stringify(value).slice(1, -1);
  yield encodeURIComponent(value);
  yield* inBase64(value);
}

/** Alone, and with something before and behind it, as `echo` and Basic authentication have it; in both alphabets. */
function* inBase64(value: string): Generator<string, undefined> {
  const bytes = Buffer.from(value);
  yield bytes.toString('base64');
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
