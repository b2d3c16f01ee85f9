import { type TextProblem, textProblemText } from './messages.ts';
import type { TextContent, TextStatus } from './text.ts';

/** Provider through which the server sends SMS or WhatsApp messages ("texts"). */
export interface Carrier<Content extends TextContent = TextContent> {
  /** Description, for the operator, of where text messages go; contains no password. */
  destination: string;
  /**
   * Hands a text message to the carrier; resolves when the carrier accepted it. Throws TextRefused if it will never be
   * accepted, NotTaken if it was certainly not accepted and another try may help, another error if it is not known
   * whether it was accepted.
   */
  deliver(id: string, content: Content): Promise<void>;
}

/** Report of the carrier about a text message that it had accepted: what became of it. */
export interface TextReport {
  id: string;
  status: TextStatus;
  problem: TextProblem | null;
}

export class TextRefused extends Error {
  readonly problem: TextProblem;

  constructor(problem: TextProblem) {
    super(textProblemText(problem, 'en'));
    this.problem = problem;
  }
}

/** Thrown if the carrier certainly did not accept the text message; its own message is for the operator's log. */
export class NotTaken extends Error {}

const LONGEST_WAIT_MS = 20_000;
const LONGEST_ANSWER = 65_536;

export interface CarrierAnswer {
  status: number;
  /** Parsed JSON of the carrier's response; null if the response is no JSON. */
  body: unknown;
}

/** Sends a POST request to a carrier. Throws NotTaken if the request certainly did not reach it. */
export async function postToCarrier(
  url: string,
  request: { headers: Record<string, string>; body: string },
): Promise<CarrierAnswer> {
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  let response: Response;
  try {
    response = await fetch(url, { ...request, method: 'POST', redirect: 'manual', signal });
  } catch (error) {
    const code = codeOf(error);
    if (BEFORE_ANY_REQUEST.has(code)) throw new NotTaken(`the carrier can’t be reached: ${code}`);
    throw error;
  }
  return { status: response.status, body: parseJson(await beginningOf(response)) };
}

/**
 * Makes the error for a carrier's unsuccessful response: a refusal, with the carrier's own code as the reason, or a
 * temporary failure that the operator or time will end (a wrong login, a moved address, too many requests, a carrier
 * that is down).
 */
export function carrierError({ status }: CarrierAnswer, problem: TextProblem): Error {
  if (status === 429 || status === 503 || status === 401 || status === 403 || status < 400) {
    return new NotTaken(`the carrier answered ${status}: ${textProblemText(problem, 'en')}`);
  }
  if (status >= 500) return new Error(`the carrier answered ${status}`);
  return new TextRefused(problem);
}

/** Codes of errors of the DNS lookup, the connection and TLS, after which it is certain that nothing was sent. */
const BEFORE_ANY_REQUEST: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return String(cause?.code ?? code ?? '');
}

async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LONGEST_ANSWER) break;
  }
  return text;
}

/** Parsed JSON of a text; null if it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
