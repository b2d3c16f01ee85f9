import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type BulkResult,
  changeGuests,
  deleteGuests,
  type GuestsChanges,
  idempotencyKey,
  restoreGuests,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { readAllGuests } from './all-guests.ts';
import { reloadList, reloadNumbers } from './guests.ts';
import type { GuestFilter } from './search.ts';

/** Maximum number of guests that one API request changes. */
const AT_ONCE = 1_000;

/** Ids of all guests that match a filter. The API can delete by filter, but it can restore only by ids. */
export async function idsOfFound(eventId: string, filter: GuestFilter): Promise<string[]> {
  return (await readAllGuests(eventId, { filter })).map(({ id }) => id);
}

export type BulkChange = Omit<GuestsChanges, 'guest_ids' | 'filter'>;
/** Bulk operation on many guests (change, delete or restore), with its data. */
export type BulkWork = { kind: 'change'; body: BulkChange } | { kind: 'delete' } | { kind: 'restore' };

export interface BulkOrder {
  ids: readonly string[];
  work: BulkWork;
  /** True for a dry run of the bulk operation, which changes nothing. */
  isTrial?: boolean;
  onProgress?: (done: number) => void;
}

/** Runs a bulk operation on guests in batches of a thousand; each batch succeeds or fails as a whole. */
export async function runBulk(
  eventId: string,
  { ids, work, isTrial, onProgress }: BulkOrder,
): Promise<BulkResult> {
  const all: BulkResult = { chosen: 0, changed: 0, not_found: [], warnings: [] };
  for (let done = 0; done < ids.length; done += AT_ONCE) {
    const some = await runBatch(eventId, ids.slice(done, done + AT_ONCE), work, isTrial);
    all.chosen += some.chosen;
    all.changed += some.changed;
    all.not_found.push(...some.not_found);
    all.warnings.push(...some.warnings);
    onProgress?.(Math.min(ids.length, done + AT_ONCE));
  }
  return all;
}

async function runBatch(
  eventId: string,
  guest_ids: string[],
  work: BulkWork,
  isTrial = false,
): Promise<BulkResult> {
  const asked = {
    client,
    path: { id: eventId },
    headers: idempotencyKey(),
    ...(isTrial && { query: { dry_run: true } }),
  };
  if (work.kind === 'change')
    return (await changeGuests({ ...asked, body: { ...work.body, guest_ids } })).data;
  const ask = work.kind === 'delete' ? deleteGuests : restoreGuests;
  return (await ask({ ...asked, body: { guest_ids } })).data;
}

export function useBulk(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (many: BulkOrder) => runBulk(eventId, many),
    // A failed bulk operation also reloads the guests, since earlier batches may have succeeded.
    onSettled: () => Promise.all([reloadList(queries, eventId), reloadNumbers(queries, eventId)]),
  });
}
