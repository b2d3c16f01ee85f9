import type { RunPlan } from '../../model/plan.ts';
import { isUnchanged } from './conditions.ts';
import type { StaticRequest } from './static-request.ts';

/** Complete answer with a file, for every request for one address whose client accepts the same encodings. */
export interface PreparedAnswer {
  /** Headers in node's raw form: name, value, name, value. */
  headers: string[];
  content: Buffer;
  etag: string;
  modified: Date;
}

/** Time after which all answers are prepared again, from what the site's folder has then. */
const PREPARED_MS = 500;
/** Maximum total size of the contents of prepared answers, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_ANSWERS = 10_000;
const LONGEST_KEY = 1_000;

/**
 * Answers with files of static sites, for the many requests of a moment that get the same answer: the file's name, its
 * rules and its headers are found once.
 */
export class PreparedAnswers {
  readonly #answers = new Map<string, PreparedAnswer>();
  #bytes = 0;

  /**
   * Key of the answer to a request; undefined for requests whose answer is not the same for everybody: parts of files,
   * and answers with headers from elsewhere, such as those of a preview.
   */
  keyOf(
    { request, response, target }: StaticRequest,
    { folder, spa }: { folder: string; spa?: RunPlan['spa'] },
  ): string | undefined {
    const { method } = request;
    if ((method !== 'GET' && method !== 'HEAD') || request.header('range') !== undefined) return undefined;
    if (response.hasHeaders) return undefined;
    const key = `${folder}\0${spa}\0${request.header('accept-encoding') ?? ''}\0${target}`;
    return key.length <= LONGEST_KEY ? key : undefined;
  }

  find(key: string): PreparedAnswer | undefined {
    return this.#answers.get(key);
  }

  /** Keeps an answer for further requests, as far as the limits allow. */
  add(key: string, answer: PreparedAnswer): void {
    const bytes = this.#bytes + answer.content.length;
    if (this.#answers.has(key) || this.#answers.size >= MOST_ANSWERS || bytes > MOST_BYTES) return;
    if (this.#answers.size === 0) setTimeout(() => this.#forgetAll(), PREPARED_MS).unref();
    this.#answers.set(key, answer);
    this.#bytes = bytes;
  }

  #forgetAll(): void {
    this.#answers.clear();
    this.#bytes = 0;
  }
}

/** Headers of a 304: those of the whole file without what describes its content. */
const ABOUT_CONTENT = new Set(['content-encoding', 'content-length']);

/** Sends a prepared answer, or a 304 if the client has the file already. */
export function sendPrepared(
  { request, response }: Pick<StaticRequest, 'request' | 'response'>,
  { headers, content, etag, modified }: PreparedAnswer,
): void {
  if (isUnchanged(request, etag, modified)) {
    response.writeHead(304, headersWithoutContent(headers));
    response.end();
    return;
  }
  response.writeHead(200, headers);
  response.end(content);
}

function headersWithoutContent(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !ABOUT_CONTENT.has(headers[index - (index % 2)] as string));
}

/** Headers of an answer in node's raw form. */
export function rawHeaders(headers: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
}
