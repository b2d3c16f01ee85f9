import { type OnAttempt, observeAttempts, withRetries } from './retries.ts';

export interface Progress {
  /** Number of bytes of the upload sent so far, out of `total`. */
  sent: number;
  total: number;
}

/**
 * Makes an option that reports the progress of an upload: `importGuests({ client, path, body: { file },
 * ...withUploadProgress(show) })`. In browsers the request is sent by XMLHttpRequest, since their `fetch` reports no
 * progress; elsewhere the body is counted as it is read. The option replaces the `fetch` of the client, and with it the
 * client's `onAttempt`, which has to be passed here again.
 */
export function withUploadProgress(
  progress: (progress: Progress) => void,
  onAttempt?: OnAttempt,
): { fetch: typeof fetch } {
  const ask: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = await request.blob();
    return 'XMLHttpRequest' in globalThis
      ? await askByXhr(request, body, progress)
      : await askByStream(request, body, progress);
  };
  return { fetch: withRetries(onAttempt ? observeAttempts(ask, onAttempt) : ask) };
}

function askByStream(
  request: Request,
  body: Blob,
  progress: (progress: Progress) => void,
): Promise<Response> {
  let sent = 0;
  const counted = body.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
        progress({ sent, total: body.size });
      },
    }),
  );
  const { method, headers, signal } = request;
  const init = { method, headers, signal, body: counted, duplex: 'half' } as RequestInit;
  return fetch(request.url, init);
}

/**
 * Sends a request by XMLHttpRequest. The browser itself adds the headers that a page may not set, such as
 * `Content-Length`.
 */
function askByXhr(request: Request, body: Blob, progress: (progress: Progress) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    const asked = new XMLHttpRequest();
    const abort = () => asked.abort();
    asked.open(request.method, request.url);
    asked.responseType = 'blob';
    asked.withCredentials = request.credentials === 'include';
    for (const [name, value] of request.headers) asked.setRequestHeader(name, value);
    asked.upload.onprogress = ({ loaded: sent, total }) => progress({ sent, total });
    asked.onload = () => resolve(responseOf(asked));
    asked.onerror = () => reject(new TypeError('The server could not be reached.'));
    asked.onabort = () => reject(signal.reason);
    asked.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) reject(signal.reason);
    else asked.send(body);
  });
}

/** HTTP statuses without a body: `new Response` with one of these statuses throws if it gets a body. */
const EMPTY = [204, 205, 304];

function responseOf(asked: XMLHttpRequest): Response {
  const lines = asked.getAllResponseHeaders().trim().split(/\r\n/);
  const headers = lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]).filter(([name]) => name);
  const { status, statusText } = asked;
  return new Response(EMPTY.includes(status) ? null : asked.response, { status, statusText, headers });
}
