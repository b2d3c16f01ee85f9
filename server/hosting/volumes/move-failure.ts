import { isFullDisk } from '../../kernel/full-disk.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';

/** Reason, in words for a site's owner, why a volume's content could not be moved to the current runtime. */
export function moveFailureReason(error: unknown): Reason {
  if (isFullDisk(error)) return reason('no_room');
  if (error instanceof Refusal && error.code === 'too_large') return reason('kept_too_large');
  return reason('kept_away');
}
