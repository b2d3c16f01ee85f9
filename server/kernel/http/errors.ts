import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable } from '../database/database.ts';
import { FieldProblem } from '../fields.ts';
import { isFullDisk } from '../full-disk.ts';
import { acceptedLanguage, type Language, type Words } from '../languages.ts';
import { CommonRefusal, Refusal } from '../refusal.ts';
import { BODY_LIMIT, complaintTexts, type HttpProblem, httpProblems, tooLarge } from './messages.ts';

/** Language and wording of the errors of all routes below a path. */
export interface ErrorStyle {
  /**
   * Beginning of the paths for which error texts are written in this style; `:id` matches any one segment. Of several
   * styles that match a path, the first is used.
   */
  prefix: string;
  /** Language of the text in the error's body, whatever language the client prefers. */
  language: Language;
  /** Labels by which error messages name fields; a field without a label is named as in JSON. */
  labels: Readonly<Record<string, Words>>;
  /**
   * Paths where an error's body has only `error` for clients that name no language, because the API's contract requires
   * it.
   */
  exact?: RegExp;
}

const DEFAULT_STYLE: ErrorStyle = { prefix: '', language: 'en', labels: {} };

/** Seconds after which a client should try again if the database can't be reached or too many requests are running. */
export const RETRY_AFTER_SECONDS = '5';
const COME_BACK = { 'retry-after': RETRY_AFTER_SECONDS };
const LATER = new Set([429, 503]);

/**
 * Body of every error response: `message` is the same text as `error` in the client's preferred language, if that
 * differs.
 */
export interface ErrorBody {
  error: string;
  code?: string;
  field?: string;
  message?: string;
}

interface ErrorContent {
  status: number;
  code: string;
  words: Words;
  headers?: Readonly<Record<string, string>>;
  field?: string;
  body?: object;
}

export type ErrorFormatter = ReturnType<typeof createErrorFormatter>;

/** Makes the functions that turn errors into HTTP responses. No other code makes error responses. */
export function createErrorFormatter(styles: readonly ErrorStyle[]) {
  const styleOf = (path: string): ErrorStyle =>
    styles.find(({ prefix }) => isUnder(path, prefix)) ?? DEFAULT_STYLE;

  const bodyOf = (content: ErrorContent, path: string, preferred: Language | undefined): ErrorBody => {
    const { language, exact } = styleOf(path);
    const error = content.words[language];
    if (!preferred && exact?.test(path)) return { error, ...content.body };
    return {
      error,
      code: content.code,
      ...(content.field !== undefined && { field: content.field }),
      ...(preferred && preferred !== language && { message: content.words[preferred] }),
      ...content.body,
    };
  };

  return {
    /**
     * Code, field and texts of an error that is part of a response with several errors. The request's path decides by
     * which labels the texts name the fields.
     */
    contentFor: (
      error: FieldProblem | Refusal,
      url: string,
    ): Pick<ErrorContent, 'code' | 'field' | 'words'> => contentOfProblem(error, styleOf(pathOf(url)).labels),
    /**
     * Body of the response to input that did not become a request, for example because the HTTP parser refused it.
     * `asked` is the part of the input that could be read.
     */
    problem: (
      status: number,
      code: HttpProblem,
      asked?: { url: string; languages: string | undefined },
    ): ErrorBody =>
      bodyOf(
        { status, code, words: httpProblems[code] },
        pathOf(asked?.url ?? ''),
        acceptedLanguage(asked?.languages),
      ),
    answer(error: unknown, request: FastifyRequest, reply: FastifyReply) {
      const path = pathOf(request.url);
      const content = contentOf(error, request, styleOf(path).labels);
      const { status, headers = {} } = content;
      if (status >= 500 && status !== 503) request.log.error({ err: error }, 'unexpected failure');
      if (status === 503) request.log.warn({ err: error }, 'not available');
      return reply
        .code(status)
        .headers(headers)
        .type('application/json; charset=utf-8')
        .serializer(JSON.stringify)
        .send(bodyOf(content, path, acceptedLanguage(request.headers['accept-language'])));
    },
  };
}

function contentOf(
  error: unknown,
  { routeOptions, raw }: FastifyRequest,
  labels: ErrorStyle['labels'],
): ErrorContent {
  if (error instanceof Refusal || error instanceof FieldProblem) return contentOfProblem(error, labels);
  if (error instanceof CommonRefusal) {
    const { status, problem, headers } = error;
    return common(status, problem, { ...(LATER.has(status) && COME_BACK), ...headers });
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  // The rest of a body whose client has hung up fails with the code of a lost connection to the database.
  if (raw.readableAborted && code === 'ECONNRESET') return common(400, 'bad_request');
  if (isUnavailable(error) || isFullDisk(error)) return common(503, 'unavailable', COME_BACK);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return { status: 413, code: 'too_large', words: tooLarge(routeOptions.bodyLimit ?? BODY_LIMIT) };
  }
  const fastifyProblem = FASTIFY_PROBLEMS[code];
  if (fastifyProblem) return common(...fastifyProblem);
  // The parser secure-json-parse reports a forbidden `__proto__` only as a SyntaxError with status 400.
  if (error instanceof SyntaxError && statusCode === 400) return common(400, 'malformed_json');
  if (statusCode >= 400 && statusCode < 500) return common(400, 'bad_request');
  return common(500, 'unexpected');
}

function contentOfProblem(error: Refusal | FieldProblem, labels: ErrorStyle['labels']): ErrorContent {
  if (error instanceof FieldProblem) {
    return { status: 400, code: 'invalid_field', words: wordsOf(error, labels), field: error.field };
  }
  const { status, code, words, more } = error;
  return { status, code, words, ...more };
}

function common(status: number, code: HttpProblem, headers: ErrorContent['headers'] = {}): ErrorContent {
  return { status, code, words: httpProblems[code], headers };
}

/** Text of an error about a field: the field's name, and what is wrong with it. */
function wordsOf({ field, complaint }: FieldProblem, labels: ErrorStyle['labels']): Words {
  const own = complaint.kind === 'own' ? complaint.words : undefined;
  const textIn = (language: Language) => {
    const label = labels[field]?.[language];
    return `${label ? `${label} (${field})` : field}: ${own?.[language] ?? complaintTexts[language](complaint)}`;
  };
  return { he: textIn('he'), ar: textIn('ar'), en: textIn('en') };
}

function isUnder(path: string, prefix: string): boolean {
  const asked = path.split('/');
  return prefix
    .split('/')
    .every((part, at) => (part.startsWith(':') ? Boolean(asked[at]) : part === asked[at]));
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

// Refusals for Fastify's error codes: https://fastify.dev/docs/latest/Reference/Errors/
const FASTIFY_PROBLEMS: Readonly<Record<string, [number, HttpProblem]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'wrong_content_type'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'malformed_json'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'malformed_json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'bad_request'],
  FST_ERR_BAD_URL: [404, 'not_found'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'not_found'],
};
