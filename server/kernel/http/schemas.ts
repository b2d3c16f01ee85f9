import { type TSchema, Type } from 'typebox';

/** What each status means wherever it appears; the description every route shows for it. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Something in the request is wrong; the sentence says what, and what is accepted.',
  401: 'No valid credential came with the request.',
  403: 'The credential is valid, but not for this.',
  404: 'There is no such thing, or not for this caller.',
  409: 'It collides with what is there, or with a request still running.',
  412: 'It was changed since the ETag in `If-Match` was read; nothing was written.',
  413: 'The body is larger than this route takes; the sentence says how much that is.',
  415: 'The body was not sent as application/json.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'Too many requests; `Retry-After` says when to come back.',
  500: 'Unexpected failure; nothing was stored.',
  503: 'The database is away for the moment; `Retry-After` says when to come back.',
};

const RETRY_AFTER = {
  'Retry-After': { type: 'integer', description: 'Seconds until another try is worth it.' },
};

const HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { type: 'string', description: '`Bearer`' } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

/** Response schemas for the statuses given, all of one body, with an example sentence each. */
export function errorResponses(
  body: TSchema,
  examples: Readonly<Record<number, object>>,
): Record<number, TSchema> {
  return Object.fromEntries(
    Object.entries(examples).map(([status, example]) => [
      status,
      Type.Unsafe({
        description: MEANINGS[Number(status)],
        content: {
          'application/json': {
            schema: body,
            example: typeof example === 'string' ? { error: example } : example,
          },
        },
        ...(HEADERS[Number(status)] && { headers: HEADERS[Number(status)] }),
      }),
    ]),
  );
}
