import { FieldProblem } from '../fields.ts';
import { CommonRefusal } from '../refusal.ts';

/** Entity tag (ETag) of a database row, made of the row's version. It is strong, as `If-Match` requires. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * Makes the check of a row's stored version against the request's `If-Match`. It throws a 412 if another write came in
 * between, and does nothing if the header is missing or `*`. Call it last, on the locked row, right before the write: a
 * request that would fail anyway gets its own error (RFC 9110, 13.2.1).
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
    // Weak entity tags never match in `If-Match` (RFC 9110, 13.1.1).
    const tags: readonly string[] = given.match(TAGS) ?? [];
    if (!tags.includes(entityTag(version))) throw new CommonRefusal(412, 'precondition_failed');
  };
}

const TAG_LIST = /^(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*$/;
const TAGS = /(W\/)?"[^"]*"/g;

/** Description of the request header `If-Match`, for a route's `schema.headers`. */
export const ifMatchHeader = {
  'if-match': {
    type: 'string',
    description:
      'The ETag of the version that was read. If the resource has changed since: 412, and nothing is written. `*` matches any version.',
  },
} as const;

/** Description of the response header `ETag`, for the `headers` of a response's schema. */
export const etagHeader = {
  ETag: { type: 'string', description: 'The version of the resource, for `If-Match`.' },
} as const;
