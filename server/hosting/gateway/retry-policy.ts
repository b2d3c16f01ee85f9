import type { UpstreamFailure } from './exchange.ts';
import type { SiteProblem } from './messages.ts';

/**
 * Reason why the backend gave no answer to a request. `upload_late`: the client sent its upload too slowly. `too_large`:
 * the upload is larger than the site's limit.
 */
export type RequestFailure = UpstreamFailure | 'upload_late' | 'too_large';

export interface FailedRequest {
  failure: RequestFailure;
  method: string;
  /** True if the request has a body: it is read only once, so the request can't be sent again. */
  hasBody: boolean;
  /** True if the backend that failed is a peer gateway. */
  toPeer: boolean;
  /** True if the machine or process of the failed backend is known to be gone. */
  backendLost: boolean;
  /** True if another backend has already failed to answer this request. */
  alreadyTried: boolean;
  /** True if the site has backends besides the failed one. */
  others: boolean;
  /** True if the routing table follows the database and the request may still wait for a returning site. */
  mayWait: boolean;
}

/**
 * Decision about a failed request: it is sent to another backend, waits for the next routing-table update, or fails.
 */
export type RetryDecision = 'other-backend' | 'wait' | 'fail';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Decides what happens to a request that its backend has not answered. */
export function decideRetry(failed: FailedRequest): RetryDecision {
  if (failed.hasBody) return 'fail';
  if (failed.mayWait && isBackendGone(failed)) return failed.others ? 'other-backend' : 'wait';
  // If one of several replicas broke, the request is repeated on another one, since a replica's death is noticed a
  // moment later. Only once: a request that crashes a replica could otherwise crash all of them.
  return isRepeatable(failed) && !failed.alreadyTried && failed.others ? 'other-backend' : 'fail';
}

/**
 * True if the failure shows that the backend is gone, and the request can be sent to another backend without harm. That
 * is so if the request never reached the site. A request that the site may have received is repeated only if its method
 * changes nothing, and its backend is lost or a peer gateway.
 */
export function isBackendGone(
  failed: Pick<FailedRequest, 'failure' | 'method' | 'toPeer' | 'backendLost'>,
): boolean {
  if (failed.failure === 'unreachable') return true;
  return isRepeatable(failed) && (failed.toPeer || failed.backendLost);
}

function isRepeatable({ failure, method }: Pick<FailedRequest, 'failure' | 'method'>): boolean {
  return failure === 'broken' && SAFE.has(method);
}

/** Turns a failure into the problem that the visitor reads. An unreachable peer gateway is not the site's fault. */
export function problemForFailure(failure: RequestFailure, toPeer: boolean): SiteProblem {
  if (failure === 'late') return 'site_late';
  if (failure === 'upload_late') return failure;
  if (failure === 'too_large') return 'upload_too_large';
  return failure === 'unreachable' && toPeer ? 'site_elsewhere' : 'site_broken';
}
