import { type TSchema, Type } from 'typebox';
import type { Words } from '../languages.ts';

/**
 * The errors of the API's description. Each stands once in `components.responses`; a route's `schema.errors` says
 * which it can answer. They are no part of `schema.response`: how an error is sent is settled in errors.ts alone.
 */
export interface ErrorAnswer {
  /** Its name among `components.responses`. */
  name: string;
  response: { description: string; headers?: object; content: object };
  /** What it means on this route, where that is more. */
  description?: string;
}

export type ErrorAnswers = Readonly<Record<number, ErrorAnswer>>;

/** Statuses a route can answer: `true` in their common meaning alone, else what more there is to say. */
export type Errors = Readonly<Record<number, string | true>>;

declare module 'fastify' {
  interface FastifySchema {
    errors?: ErrorAnswers;
  }
}

/** What each status is called, and what it means wherever it appears. */
const MEANINGS: Readonly<Record<number, readonly [name: string, meaning: string]>> = {
  400: ['BadRequest', 'Something in the request is wrong; the sentence says what, and what is accepted.'],
  401: ['Unauthorized', 'No valid credential came with the request.'],
  403: ['Forbidden', 'The credential is valid, but not for this.'],
  404: ['NotFound', 'There is no such thing, or not for this caller.'],
  409: ['Conflict', 'It collides with what is there, or with a request still running.'],
  412: ['Changed', 'It was changed since the ETag in `If-Match` was read; nothing was written.'],
  413: ['TooLarge', 'The body is larger than this route takes; the sentence says how much that is.'],
  415: ['WrongContentType', 'The body was not sent as application/json.'],
  422: ['KeyReused', 'The `Idempotency-Key` was used for another request.'],
  429: ['TooManyRequests', 'Too many requests; `Retry-After` says when to come back.'],
  500: ['Unexpected', 'Unexpected failure; nothing was stored.'],
  503: ['Unavailable', 'The database is away for the moment; `Retry-After` says when to come back.'],
};

const RETRY_AFTER = {
  'Retry-After': {
    schema: { type: 'integer' },
    description: 'Seconds until another try is worth it.',
  },
};
const HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string' }, description: 'How to send a credential.' } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

/** What stands beside an error's sentence. */
export const besideError = {
  code: Type.String({ description: 'The same for machines; it does not change with the wording.' }),
  field: Type.Optional(Type.String({ description: 'The field it is about, where it is about one.' })),
  message: Type.Optional(
    Type.String({
      description:
        'The same sentence in the language that `Accept-Language` likes best of Hebrew, Arabic and English, where that is another.',
    }),
  ),
};

/** An example of an error in `language`, told to somebody who would rather read the other one. */
export function exampleError(code: string, words: Words, language: 'he' | 'en', field?: string): object {
  const other = language === 'he' ? 'en' : 'he';
  return { error: words[language], code, ...(field && { field }), message: words[other] };
}

/** The errors of one face: `prefix` sets their names apart from another's, `examples` are bodies by status. */
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
        const { description: common } = answer.response;
        return [status, { ...answer, ...(meaning !== true && { description: `${common} ${meaning}` }) }];
      }),
    );
}

/** An error answer of one area alone, with a body and a meaning of its own. */
export function errorAnswer(name: string, description: string, body: TSchema, example: object): ErrorAnswer {
  return {
    name,
    response: { description, content: { 'application/json': { schema: componentOf(body), example } } },
  };
}

/** For the `errors` of a route whose status tells one thing from another by the body's `code`. */
export function codes(...all: readonly string[]): string {
  return `The \`code\` is ${all.map((code) => `\`${code}\``).join(' or ')}.`;
}

function componentOf(schema: TSchema): object {
  return { $ref: `#/components/schemas/${(schema as { $id?: string }).$id}` };
}
