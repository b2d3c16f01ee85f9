import { type TextProblem, textProblemText } from './messages.ts';
import type { TextContent, TextStatus } from './text.ts';

/** Provider that sends texts to phones. */
export interface Carrier<Content extends TextContent = TextContent> {
  /** Description for the operator of where texts go, without a password. */
  destination: string;
  /**
   * Resolves when the carrier accepted the text. Throws TextRefused if it never will, NotTaken if it certainly did not
   * and another try may help, any other error if that is not known.
   */
  deliver(id: string, content: Content): Promise<void>;
}

/** Report of a carrier about a text that it had accepted. */
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

/** Text that the carrier certainly did not accept; the message is for the operator's log. */
export class NotTaken extends Error {}

const LONGEST_WAIT_MS = 20_000;
const LONGEST_ANSWER = 65_536;

export interface CarrierAnswer {
  status: number;
  /** Parsed JSON of the answer; null if it is no JSON. */
  body: unknown;
}

/** Sends a POST request to a carrier. Throws NotTaken if the request can't have reached it. */
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
 * Error for an unsuccessful answer: a refusal, whose reason is the carrier's own code, or a temporary failure that the
 * operator or time will solve: the login, a moved address, too many requests, a carrier that is down.
 */
export function carrierError({ status }: CarrierAnswer, problem: TextProblem): Error {
  if (status === 429 || status === 503 || status === 401 || status === 403 || status < 400) {
    return new NotTaken(`the carrier answered ${status}: ${textProblemText(problem, 'en')}`);
  }
  if (status >= 500) return new Error(`the carrier answered ${status}`);
  return new TextRefused(problem);
}

/** Errors of the DNS lookup, the connection and TLS: nothing was sent yet. */
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
