import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** What becomes of one request: an answer of its own; its answer lost; its answer cut off after so many bytes. */
export type Trouble =
  | { status: number; headers?: Record<string, string> }
  | 'lost'
  | { cutAfter: number }
  | undefined;

export interface Unsteady extends AsyncDisposable {
  url: string;
  /** What came, the newest last. */
  seen: { method: string; url: string; headers: IncomingMessage['headers'] }[];
}

/** A way to the server at `base` on which things happen. */
export async function startUnsteady(base: string, trouble: (nth: number) => Trouble): Promise<Unsteady> {
  const seen: Unsteady['seen'] = [];
  const server = createServer((asked, answer) => {
    const { method = '', url = '', headers } = asked;
    const what = trouble(seen.push({ method, url, headers }) - 1);
    if (typeof what === 'object' && 'status' in what) {
      asked.resume();
      answer.writeHead(what.status, what.headers).end();
      return;
    }
    const passed = request(new URL(url, base), { method, headers, agent: false }, (got) => {
      if (what === 'lost') {
        got.resume().on('close', () => answer.destroy());
        return;
      }
      answer.writeHead(got.statusCode ?? 0, got.headers);
      let left = what?.cutAfter ?? Number.POSITIVE_INFINITY;
      got.on('error', () => answer.destroy());
      got.on('end', () => answer.end());
      got.on('data', (chunk: Buffer) => {
        answer.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left > 0) return;
        got.destroy();
        setImmediate(() => answer.destroy());
      });
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    pipeline(asked, passed, () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
