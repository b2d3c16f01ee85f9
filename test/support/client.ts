import { SERVERS } from './campaign.ts';
import { holdAgainstReference } from './reference.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  text: string;
}

export interface CallOptions {
  token?: string | undefined;
  /** Sent as JSON; text is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export type Client = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** Speaks HTTP with the server at `base`. */
export function createClient(base: string, standing: CallOptions = {}): Client {
  return async (method, path, options = {}) => {
    const { token, body, headers } = { ...standing, ...options };
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: {
        // So that the next request is another server's.
        ...(SERVERS > 1 && { connection: 'close' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // A stream of events has no end to wait for.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const text = isStream ? '' : await response.text();
    if (isStream) await response.body?.cancel();
    const json = response.headers.get('content-type')?.includes('json');
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: json && text ? JSON.parse(text) : undefined,
    };
    holdAgainstReference(method, response.url, answer);
    return answer;
  };
}
