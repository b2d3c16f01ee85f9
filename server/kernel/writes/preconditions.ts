import { FieldProblem } from '../fields.ts';
import { CommonRefusal } from '../refusal.ts';

/** The entity tag of a row, from its version: strong, as If-Match wants it. */
export function etag(version: number): string {
  return `"${version}"`;
}

/**
 * What `If-Match` demands of the stored version: throws a 412 where another write came in between, does nothing
 * where the header is absent or `*`. Ask it last, on the locked row, right before the write: a request that would
 * fail anyway is answered with its own failure (RFC 9110, 13.2.1).
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
    // A weak tag never matches (RFC 9110, 13.1.1).
    const tags: readonly string[] = given.match(TAGS) ?? [];
    if (!tags.includes(etag(version))) throw new CommonRefusal(412, 'precondition_failed');
  };
}

const TAG_LIST = /^(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*$/;
const TAGS = /(W\/)?"[^"]*"/g;

/** For a route's `schema.headers`. */
export const ifMatchHeader = {
  'if-match': {
    type: 'string',
    description:
      'The ETag of what was read. When it has changed since: 412, and nothing is written. `*` matches any version.',
  },
} as const;

/** For the `headers` of a response's schema. */
export const etagHeader = {
  ETag: { type: 'string', description: 'The version of what is shown, for `If-Match`.' },
} as const;
