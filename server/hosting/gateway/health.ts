import type { SitesAvailability } from '../../kernel/http/health.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { OutgoingResponse } from './outgoing-response.ts';

export interface BackendHealth {
  /**
   * True if the gateway can route requests and is not retiring. The database's state does not count: sites stay
   * reachable without it.
   */
  isReady: boolean;
  hosting: SitesAvailability;
}

/**
 * Answers `/healthz` and `/readyz` on a port for sites, in the platform's format. Returns false for all other requests.
 */
export function answerHealth(
  { method }: IncomingRequest,
  response: OutgoingResponse,
  target: string,
  health: () => BackendHealth,
): boolean {
  const [path] = target.split('?', 1);
  if ((method !== 'GET' && method !== 'HEAD') || (path !== '/healthz' && path !== '/readyz')) return false;
  const { isReady, hosting } = health();
  const isWell = path === '/healthz' || isReady;
  const status = isWell ? 'ok' : 'unavailable';
  const body = JSON.stringify(path === '/healthz' ? { status } : { status, hosting });
  response.writeHead(isWell ? 200 : 503, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(method === 'HEAD' ? undefined : body);
  return true;
}
