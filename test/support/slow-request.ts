import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sends a request whose last byte follows when `meanwhile` has ended; returns the status of its response. */
export async function sendSlowly(
  url: string,
  { method, headers, body }: { method: string; headers: OutgoingHttpHeaders; body: Uint8Array },
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const request = httpRequest(url, { method, headers: { ...headers, 'content-length': body.length } });
  const answered = new Promise<number>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response) => {
      await text(response);
      resolve(response.statusCode ?? 0);
    });
  });
  request.write(body.subarray(0, -1));
  // The server must have begun with the request before the change, and it checks again only after a second.
  await sleep(1_100);
  await meanwhile();
  request.end(body.subarray(-1));
  return answered;
}
