import { isUnavailable } from '../../../kernel/database/database.ts';
import { Cancelled } from '../../model/deployment-rows.ts';
import { LeaseLost } from '../../model/lease-fence.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import type { Reason } from '../../model/reasons/reason.ts';
import { shortageOf } from '../../model/reasons/shortage.ts';

/** Outcome of a deployment that did not go live. */
export interface Outcome {
  status: 'failed' | 'cancelled';
  reason: Reason;
}

/**
 * Outcome of deployment work that threw `error`; undefined for an unexpected error. Rethrows errors after which the
 * work is repeated: by the next holder of the lease, or once the database is back.
 */
export function outcomeOf(error: unknown, signal: AbortSignal): Outcome | undefined {
  if (error instanceof Cancelled) return { status: 'cancelled', reason: error.reason };
  if (signal.aborted || isUnavailable(error) || error instanceof LeaseLost) throw error;
  if (error instanceof RuntimeFailure) return { status: 'failed', reason: error.reason };
  const shortage = shortageOf(error);
  return shortage && { status: 'failed', reason: shortage };
}
