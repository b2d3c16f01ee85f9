import { FieldProblem } from '../fields.ts';
import { CommonRefusal } from '../refusal.ts';

/** Entity tag of a row, from its version: strong, as If-Match requires. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * Check of the stored version against `If-Match`: throws a 412 if another write came in between, and does nothing if
 * the header is missing or `*`. Call it last, on the locked row, right before the write: a request that would fail
 * anyway is answered with its own failure (RFC 9110, 13.2.1).
 */
export function ifMatch({
  headers,
}: {
  headers: { 'if-match'?: string | undefined };
}): (version: number) => void {
  const given = headers['if-match']?.trim();
  return (version) => {
    if (given === undefined || given === '*') return;
    if (!TAG_LIST.test(given)) throw new FieldProblem('If-Match', { kind: 'entity_tag' });
    // Weak tags never match (RFC 9110, 13.1.1).
    const tags: readonly string[] = given.match(TAGS) ?? [];
    if (!tags.includes(entityTag(version))) throw new CommonRefusal(412, 'precondition_failed');
  };
}

const TAG_LIST = /^(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*$/;
const TAGS = /(W\/)?"[^"]*"/g;

/** Piece for a route's `schema.headers`. */
export const ifMatchHeader = {
  'if-match': {
    type: 'string',
    description:
      'The ETag of the version that was read. If the resource has changed since: 412, and nothing is written. `*` matches any version.',
  },
} as const;

/** Piece for the `headers` of a response's schema. */
export const etagHeader = {
  ETag: { type: 'string', description: 'The version of the resource, for `If-Match`.' },
} as const;
