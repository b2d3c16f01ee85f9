import { type TSchema, Type } from 'typebox';
import type { Words } from '../languages.ts';

/**
 * Error response in the API's description. Each is described once in `components.responses`; a route's `schema.errors`
 * lists the errors with which it may respond. They are not part of `schema.response`, because only errors.ts decides
 * how an error is sent.
 */
export interface ErrorAnswer {
  /** Name of the error response in `components.responses`. */
  name: string;
  response: { description: string; headers?: object; content: object };
  /** Meaning of the error on this route, which replaces the meaning that it has on all routes. */
  description?: string;
}

export type ErrorAnswers = Readonly<Record<number, ErrorAnswer>>;

/**
 * HTTP statuses of the errors with which a route may respond, each with `true` for the general meaning, or with the
 * meaning on this route.
 */
export type Errors = Readonly<Record<number, string | true>>;

declare module 'fastify' {
  interface FastifySchema {
    errors?: ErrorAnswers;
    /** True if a request may have no body; otherwise the API reference says that the body is required. */
    isBodyOptional?: boolean;
  }
}

/** Name and general meaning of each HTTP status of errors. */
const MEANINGS: Readonly<Record<number, readonly [name: string, meaning: string]>> = {
  400: ['BadRequest', 'The request is invalid; the message says what is wrong and what is accepted.'],
  401: ['Unauthorized', 'No valid credential came with the request.'],
  403: ['Forbidden', 'The credential is valid, but not for this.'],
  404: ['NotFound', 'Not found, or not visible to this caller.'],
  409: ['Conflict', 'Conflicts with the current state, or with a request that is still running.'],
  412: ['Changed', 'Changed since the ETag in `If-Match` was read; nothing was written.'],
  413: ['TooLarge', 'The body is larger than this route accepts; the message names the maximum.'],
  415: ['WrongContentType', 'The body was not sent as application/json.'],
  422: ['KeyReused', 'The `Idempotency-Key` was used for another request.'],
  429: ['TooManyRequests', 'Too many requests; `Retry-After` says when to try again.'],
  500: ['Unexpected', 'Unexpected failure; nothing was stored.'],
  503: ['Unavailable', 'The database is temporarily unavailable; `Retry-After` says when to try again.'],
};

const RETRY_AFTER = {
  'Retry-After': {
    schema: { type: 'integer' },
    description: 'Seconds to wait before the next try.',
  },
};
const HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string' }, description: 'How to send a credential.' } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

/** Fields that an error's body has in addition to the sentence in `error`. */
export const errorFields = {
  code: Type.String({ description: 'The error for programs; it stays the same when the wording changes.' }),
  field: Type.Optional(Type.String({ description: 'The field that caused the error, if any.' })),
  message: Type.Optional(
    Type.String({
      description:
        'The same message in the language that `Accept-Language` prefers (Hebrew, Arabic or English), if it differs.',
    }),
  ),
};

/**
 * Example of an error's body, in Hebrew and English: `error` is in `language`; `message` is in the other of the two
 * languages, for a client that prefers it.
 */
export function exampleError(code: string, words: Words, language: 'he' | 'en', field?: string): object {
  const other = language === 'he' ? 'en' : 'he';
  return { error: words[language], code, ...(field && { field }), message: words[other] };
}

/**
 * Error responses of one side of the product (planning or hosting). `prefix` distinguishes their names from those of
 * the other side's error responses; `examples` are error bodies by status.
 */
export function errorAnswersOf(
  body: TSchema,
  prefix: string,
  examples: Readonly<Record<number, object>>,
): (errors: Errors) => ErrorAnswers {
  const shared = new Map(
    Object.entries(examples).map(([status, example]): [string, ErrorAnswer] => {
      const [name, description] = MEANINGS[Number(status)] ?? [status, ''];
      const content = { 'application/json': { schema: componentOf(body), example } };
      const headers = HEADERS[Number(status)];
      return [
        status,
        { name: `${prefix}${name}`, response: { description, ...(headers && { headers }), content } },
      ];
    }),
  );
  return (errors) =>
    Object.fromEntries(
      Object.entries(errors).map(([status, meaning]) => {
        const answer = shared.get(status);
        if (!answer) throw new Error(`no error of status ${status} is described`);
        return [status, { ...answer, ...(meaning !== true && { description: meaning }) }];
      }),
    );
}

/** Error response that only one area of the API has, with its own body and meaning. */
export function errorAnswer(name: string, description: string, body: TSchema, example: object): ErrorAnswer {
  return {
    name,
    response: { description, content: { 'application/json': { schema: componentOf(body), example } } },
  };
}

/** Description of an error that has several cases, which differ by the body's `code`. */
export function listCodes(...all: readonly string[]): string {
  return `The \`code\` is ${all.map((code) => `\`${code}\``).join(' or ')}.`;
}

function componentOf(schema: TSchema): object {
  return { $ref: `#/components/schemas/${(schema as { $id?: string }).$id}` };
}
