/**
 * Pattern of paths in a site's rule: literal parts and placeholders such as `:year`, with an optional `*` (splat) at
 * its end.
 */
export interface Pattern {
  parts: readonly Part[];
  /** For a pattern whose last part contains `*`, as in `/img-*.png`: the text before and after the `*` in that part. */
  splat?: { before: string; after: string };
}

type Part = { literal: string } | { name: string };

/**
 * Parts of a path that the placeholders of a pattern match, by placeholder name; the part that `*` matches is named
 * `splat`.
 */
export type Captures = Readonly<Record<string, string>>;

const PLACEHOLDER = /^:([A-Za-z]\w*)$/;

/** Parts of a path, decoded like the path of a request; undefined if the path is invalid. */
export function pathParts(path: string): string[] | undefined {
  if (!path.startsWith('/') || /[?#]/.test(path)) return undefined;
  try {
    return decodeURIComponent(path)
      .split('/')
      .filter((part) => part !== '');
  } catch {
    return undefined;
  }
}

/**
 * Parses a pattern such as `/blog/:year/*` or `/*.js`: a placeholder is a whole part, and at most one `*` is allowed,
 * in the last part.
 */
export function readPattern(path: string): Pattern | undefined {
  const texts = pathParts(path);
  if (texts === undefined) return undefined;
  const last = texts.at(-1) ?? '';
  const splat = last.split('*');
  if (splat.length > 2 || texts.slice(0, -1).some((text) => text.includes('*'))) return undefined;
  const [before = '', after] = splat;
  const parts = (after === undefined ? texts : texts.slice(0, -1)).map((text) => {
    const name = PLACEHOLDER.exec(text)?.[1];
    return name === undefined ? { literal: text } : { name };
  });
  return after === undefined ? { parts } : { parts, splat: { before, after } };
}

/**
 * Path that a pattern without placeholders and without `*` matches; undefined for other patterns. Rules for a single
 * path are found without a search.
 */
export function exactPath({ parts, splat }: Pattern): string | undefined {
  const literals = parts.map((part) => ('literal' in part ? part.literal : undefined));
  return splat || literals.includes(undefined) ? undefined : literals.join('/');
}

/**
 * Matches a path: `/a/*` matches `/a`, `/a/` and everything below. Runs in time linear in the path, for every pattern.
 */
export function matchPath({ parts, splat }: Pattern, segments: readonly string[]): Captures | undefined {
  if (splat ? segments.length < parts.length : segments.length !== parts.length) return undefined;
  const captures: Record<string, string> = Object.create(null);
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] as string;
    if ('name' in part) captures[part.name] = segment;
    else if (part.literal !== segment) return undefined;
  }
  if (!splat) return captures;
  const { before, after } = splat;
  const rest = segments.slice(parts.length).join('/');
  const isMet =
    rest.length >= before.length + after.length && rest.startsWith(before) && rest.endsWith(after);
  if (!isMet) return undefined;
  captures.splat = rest.slice(before.length, rest.length - after.length);
  return captures;
}
