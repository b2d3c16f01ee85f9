import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';

const BEAT_MS = 15_000;

/**
 * A body of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). `events` gives
 * them in their written form until its signal; a comment now and then keeps proxies from closing the connection.
 */
export function eventStream(
  events: (signal: AbortSignal) => AsyncGenerator<string>,
  closing: AbortSignal,
): Readable {
  const body = new PassThrough();
  const gone = new AbortController();
  body.on('close', () => gone.abort());
  // Whoever sends it listens too, but only once the answer has begun.
  body.on('error', () => {});
  const signal = AbortSignal.any([gone.signal, closing]);
  const beat = setInterval(() => body.write(':\n\n'), BEAT_MS);
  const send = async () => {
    body.write('retry: 1000\n\n');
    for await (const event of events(signal)) {
      if (!body.write(event)) await once(body, 'drain', { signal });
    }
  };
  send()
    .catch((error) => {
      if (!signal.aborted) body.destroy(error);
    })
    .finally(() => {
      clearInterval(beat);
      body.end();
    });
  return body;
}

/** `data` is one line. */
export function event(data: string, { id, name }: { id?: string | number; name?: string } = {}): string {
  const head = `${name === undefined ? '' : `event: ${name}\n`}${id === undefined ? '' : `id: ${id}\n`}`;
  return `${head}data: ${data}\n\n`;
}
