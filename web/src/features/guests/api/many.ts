import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type BulkResult,
  changeGuests,
  deleteGuests,
  type GuestsChanges,
  listGuests,
  once,
  pages,
  restoreGuests,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { readListAgain, readNumbersAgain } from './guests.ts';
import type { Filter } from './search.ts';

/** The most that the API changes at once; also the most that it lists. */
const AT_ONCE = 1_000;

/** Everybody who is found. The API deletes by a filter, too, but whoever is to come back is asked for by their id. */
export async function idsOfFound(eventId: string, filter: Filter): Promise<string[]> {
  const ids = new Set<string>();
  const read = (page: { page: number; limit: number }) =>
    listGuests({ client, path: { id: eventId }, query: { ...filter, ...page } });
  for await (const { id } of pages(read, AT_ONCE)) ids.add(id);
  return [...ids];
}

export type ManyChange = Omit<GuestsChanges, 'guest_ids' | 'filter'>;
/** What is to be done, and how far it has come. */
export type Work = { kind: 'change'; body: ManyChange } | { kind: 'delete' } | { kind: 'restore' };

export interface Many {
  ids: readonly string[];
  work: Work;
  /** Only what would be. */
  isTrial?: boolean;
  told?: (done: number) => void;
}

/** A thousand after the other: each whole or not at all. */
export async function doMany(eventId: string, { ids, work, isTrial, told }: Many): Promise<BulkResult> {
  const all: BulkResult = { chosen: 0, changed: 0, not_found: [], warnings: [] };
  for (let done = 0; done < ids.length; done += AT_ONCE) {
    const some = await doSome(eventId, ids.slice(done, done + AT_ONCE), work, isTrial);
    all.chosen += some.chosen;
    all.changed += some.changed;
    all.not_found.push(...some.not_found);
    all.warnings.push(...some.warnings);
    told?.(Math.min(ids.length, done + AT_ONCE));
  }
  return all;
}

async function doSome(
  eventId: string,
  guest_ids: string[],
  work: Work,
  isTrial = false,
): Promise<BulkResult> {
  const asked = {
    client,
    path: { id: eventId },
    headers: once(),
    ...(isTrial && { query: { dry_run: true } }),
  };
  if (work.kind === 'change')
    return (await changeGuests({ ...asked, body: { ...work.body, guest_ids } })).data;
  const ask = work.kind === 'delete' ? deleteGuests : restoreGuests;
  return (await ask({ ...asked, body: { guest_ids } })).data;
}

export function useMany(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (many: Many) => doMany(eventId, many),
    // Also after a failure: the thousand before it is done.
    onSettled: () => Promise.all([readListAgain(queries, eventId), readNumbersAgain(queries, eventId)]),
  });
}
