import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable } from '../database/database.ts';
import { FieldProblem } from '../fields.ts';
import { CommonRefusal, Refusal } from '../refusal.ts';
import { BODY_LIMIT, type Catalogue, english, type HttpProblem } from './messages.ts';

/** How errors look and sound under a path: the language, the names of fields, the shape of the body. */
export interface ErrorFace {
  prefix: string;
  catalogue: Catalogue;
  /** The field's name in the face's language; fields without one go by their JSON name. */
  labels: Readonly<Record<string, string>>;
  body(sentence: string, code: string): object;
}

const DEFAULT_FACE: ErrorFace = {
  prefix: '',
  catalogue: english,
  labels: {},
  body: (error, code) => ({ error, code }),
};

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: object;
}

/** Seconds a client is asked to wait when the database is away. */
export const RETRY_AFTER_SECONDS = '5';
const COME_BACK = { 'retry-after': RETRY_AFTER_SECONDS };

export type ErrorSpeaker = ReturnType<typeof createErrorSpeaker>;

/** The one place where an error becomes an answer. */
export function createErrorSpeaker(faces: readonly ErrorFace[]) {
  const faceOf = (url: string): ErrorFace => {
    const path = url.split('?', 1)[0] ?? '';
    return faces.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? DEFAULT_FACE;
  };

  const problem = (
    url: string,
    status: number,
    code: HttpProblem,
    headers: Answer['headers'] = {},
  ): Answer => {
    const face = faceOf(url);
    return { status, headers, body: face.body(face.catalogue.problems[code], code) };
  };

  const sentence = (error: FieldProblem | Refusal, url: string): string => {
    if (error instanceof Refusal) return error.message;
    const { catalogue, labels } = faceOf(url);
    const label = labels[error.field];
    const name = label ? `${label} (${error.field})` : error.field;
    return `${name}: ${catalogue.complaint(error.complaint)}`;
  };

  const answerTo = (error: unknown, { url, routeOptions }: FastifyRequest): Answer => {
    if (error instanceof Refusal) {
      return {
        status: error.status,
        headers: error.headers,
        body: faceOf(url).body(error.message, error.code),
      };
    }
    if (error instanceof CommonRefusal) {
      return problem(url, error.status, error.problem, error.status === 503 ? COME_BACK : {});
    }
    if (error instanceof FieldProblem) {
      return { status: 400, headers: {}, body: faceOf(url).body(sentence(error, url), 'invalid_field') };
    }
    if (isUnavailable(error)) return problem(url, 503, 'unavailable', COME_BACK);
    const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      const face = faceOf(url);
      const sentence = face.catalogue.tooLarge(routeOptions.bodyLimit ?? BODY_LIMIT);
      return { status: 413, headers: {}, body: face.body(sentence, 'too_large') };
    }
    const known = FASTIFY_PROBLEMS[code];
    if (known) return problem(url, ...known);
    // secure-json-parse (for __proto__) says only 400 and SyntaxError.
    if (error instanceof SyntaxError && statusCode === 400) return problem(url, 400, 'malformed_json');
    if (statusCode >= 400 && statusCode < 500) return problem(url, 400, 'bad_request');
    return problem(url, 500, 'unexpected');
  };

  return {
    problem,
    /** What an error would say, for an answer that tells of several. */
    sentence,
    /** A refusal in the words of the path's own language. */
    refusal(url: string, status: number, code: HttpProblem, headers: Answer['headers'] = {}): Refusal {
      return new Refusal(status, code, faceOf(url).catalogue.problems[code], headers);
    },
    answer(error: unknown, request: FastifyRequest, reply: FastifyReply) {
      const { status, headers, body } = answerTo(error, request);
      if (status >= 500 && status !== 503) request.log.error({ err: error }, 'unexpected failure');
      if (status === 503) request.log.warn({ err: error }, 'not available');
      return reply
        .code(status)
        .headers(headers)
        .type('application/json; charset=utf-8')
        .serializer(JSON.stringify)
        .send(body);
    },
  };
}

// https://fastify.dev/docs/latest/Reference/Errors/
const FASTIFY_PROBLEMS: Readonly<Record<string, [number, HttpProblem]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'wrong_content_type'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'malformed_json'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'malformed_json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'bad_request'],
  FST_ERR_BAD_URL: [404, 'not_found'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'not_found'],
};
