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
  /** Body of the request: a string is sent unchanged, any other value as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export type Client = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

export function createClient(base: string, standing: CallOptions = {}): Client {
  return async (method, path, options = {}) => {
    const { token, body, headers } = { ...standing, ...options };
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: {
        // If a test has several servers, each request uses a new connection, which leads to the next of them.
        ...(SERVERS > 1 && { connection: 'close' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // The body of an event stream is not read, because the stream does not end by itself in time.
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
