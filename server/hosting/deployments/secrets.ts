const MASK = '••••••';
/** Values this short are hidden only where they stand as a word of their own: hiding each "1" would hide the log. */
const SHORT = 6;

/** Hides values in a line, also as they look in JSON, in an address, and in base64. Values of several lines are hidden line by line. */
export function createRedactor(values: Iterable<string>): (line: string) => string {
  const secrets = new Set<string>();
  for (const value of values) {
    for (const part of [value, ...value.split(/\r\n|\r|\n/)]) {
      const plain = part.trim();
      if (plain === '') continue;
      secrets.add(plain);
      if (plain.length < SHORT) continue;
      secrets.add(JSON.stringify(plain).slice(1, -1));
      secrets.add(encodeURIComponent(plain.toWellFormed()));
      secrets.add(Buffer.from(plain).toString('base64'));
    }
  }
  if (secrets.size === 0) return (line) => line;
  // The longest first: a short one may be part of it.
  const patterns = [...secrets].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(patterns.join('|'), 'gu');
  return (line) => line.toWellFormed().replace(pattern, MASK);
}

function patternOf(secret: string): string {
  const literal = RegExp.escape(secret.toWellFormed());
  return secret.length >= SHORT ? literal : `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`;
}
