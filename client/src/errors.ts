/** What a server answered in place of what was asked for. What never reached one is thrown as `fetch` throws it. */
export class SimchaError extends Error {
  override readonly name = 'SimchaError';
  /** Of HTTP. */
  readonly status: number;
  /** For machines, such as `invalid_field`; undefined where the server gives none. */
  readonly code: string | undefined;
  /** The field it is about, as in `filter.status`. */
  readonly field: string | undefined;
  /** As it stands in the server's log. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, where the server says so. */
  readonly retryAfter: number | undefined;
  /** The whole answer, with what else it says: an import's report, who is in the way. */
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

  /** In the language that was asked for, where the server says it in that. */
  static of(response: Response, body: unknown, request?: Pick<Request, 'method' | 'url'>): SimchaError {
    const { message, error } = fieldsOf(body);
    const asked = request ? ` to ${request.method} ${new URL(request.url).pathname}` : '';
    const said = textOf(message) ?? textOf(error) ?? `The server answered ${response.status}${asked}.`;
    return new SimchaError(said, response, body);
  }
}

/** Of a `Retry-After`: seconds, or the time of day that it gives. */
export function secondsOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const time = Date.parse(retryAfter);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
