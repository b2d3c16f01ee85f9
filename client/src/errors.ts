/** Error response of the Simcha server. A request without a response rejects with the error of `fetch` instead. */
export class SimchaError extends Error {
  override readonly name = 'SimchaError';
  /** HTTP status code of the error response. */
  readonly status: number;
  /** Machine-readable code of the error, such as `invalid_field`; undefined if the server gives none. */
  readonly code: string | undefined;
  /** Path of the request's field that is wrong, as in `filter.status`. */
  readonly field: string | undefined;
  /** Identifier of the failed request in the server's log. */
  readonly requestId: string | undefined;
  /** Seconds after which the client may try the request again, if the server says so. */
  readonly retryAfter: number | undefined;
  /**
   * Whole body of the error response. It may have more fields, such as the report of an import, or the events that
   * block a change.
   */
  readonly body: unknown;

  constructor(message: string, { status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown) {
    super(message);
    const { code, field } = fieldsOf(body);
    this.status = status;
    this.code = textOf(code);
    this.field = textOf(field);
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter = secondsOf(headers.get('retry-after'));
    this.body = body;
  }

  /**
   * Makes an error of an error response. Its message is in the language of the request if the server has it in that
   * language.
   */
  static of(response: Response, body: unknown, request?: Pick<Request, 'method' | 'url'>): SimchaError {
    const { message, error } = fieldsOf(body);
    const asked = request ? ` to ${request.method} ${new URL(request.url).pathname}` : '';
    const text = textOf(message) ?? textOf(error) ?? `The server answered ${response.status}${asked}.`;
    return new SimchaError(text, response, body);
  }
}

/** Converts a `Retry-After` header, which holds seconds or a date, to seconds from now. */
export function secondsOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const time = Date.parse(retryAfter);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
