/** Text with decoded escapes, and the position of each code unit in the original text. */
export interface Decoded {
  text: string;
  /**
   * For each character (UTF-16 code unit) of `text`, its position in the original text, and at the end the length of
   * the original text.
   */
  at: Int32Array;
}

/**
 * Way to escape characters, such as percent-encoding. `mark`: character that begins each escape; a text without it has
 * none.
 */
interface Escapes {
  mark: string;
  pattern: RegExp;
  read(found: string): string;
}

/** A UTF-8 character in percent-encoding. Programs differ in which characters they encode. */
const PERCENT =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;
const readPercent = (found: string) => Buffer.from(found.replaceAll('%', ''), 'hex').toString();

const KINDS: readonly Escapes[] = [
  { mark: '%', pattern: PERCENT, read: readPercent },
  {
    mark: '+',
    pattern: new RegExp(`${PERCENT.source}|\\+`, 'gi'),
    read: (found) => (found === '+' ? ' ' : readPercent(found)),
  },
  // Backslash escapes of shells, and of strings in most languages.
  { mark: '\\', pattern: /\\(?:u[\da-f]{4}|x[\da-f]{2}|[\s\S])/gi, read: readBackslash },
];

const SPACES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function readBackslash(found: string): string {
  const of = found.slice(1);
  return of.length > 1 ? String.fromCharCode(Number.parseInt(of.slice(1), 16)) : (SPACES[of] ?? of);
}

/** Decodes the text in each way that programs may have encoded it. */
export function* decodedIn(text: string): Generator<Decoded, undefined> {
  for (const { mark, pattern, read } of KINDS) if (text.includes(mark)) yield decode(text, pattern, read);
}

function decode(text: string, pattern: RegExp, read: Escapes['read']): Decoded {
  const at = new Int32Array(text.length + 1);
  let decoded = '';
  let from = 0;
  const keep = (until: number) => {
    for (let index = from; index < until; index += 1) at[decoded.length + index - from] = index;
    decoded += text.slice(from, until);
  };
  for (const { 0: found, index } of text.matchAll(pattern)) {
    keep(index);
    const one = read(found);
    at.fill(index, decoded.length, decoded.length + one.length);
    decoded += one;
    from = index + found.length;
  }
  keep(text.length);
  at[decoded.length] = text.length;
  return { text: decoded, at };
}
