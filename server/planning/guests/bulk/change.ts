import type { Language } from '../../../kernel/languages.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { EventWrite } from '../../events/write.ts';
import { guestWithRsvp, saveAnswer } from '../capacity/allocation.ts';
import { restoreGuest } from '../deleted/restore.ts';
import { deleteGuests } from '../deleted/store.ts';
import { MOST_TAGS } from '../fields.ts';
import { readGuestChanges } from '../input.ts';
import { messages } from '../messages.ts';
import { findGuest, requireGuest } from '../rows.ts';
import type { GuestSelection } from '../selection.ts';
import { findMissingIds } from '../store.ts';
import { warningsOf } from '../warnings.ts';
import type { BulkWarning } from './contract.ts';
import type { BulkChange } from './fields.ts';
import { findSelectedIds } from './store.ts';

/**
 * Maximum number of guests in one bulk change. Each guest is changed separately, with their own line of history,
 * while the event is locked.
 */
export const MOST_AT_ONCE = 1_000;

export interface BulkResult {
  chosen: number;
  /** Number of selected guests whose row the bulk change altered. */
  changed: number;
  /** Ids in the bulk change's request that belong to no guest of the event. */
  not_found: string[];
  warnings: BulkWarning[];
}

/** Changes the selected guests one after the other. If one of them can't be changed, none is changed. */
export async function changeMany(
  write: EventWrite,
  { chosen, add, remove, fields }: BulkChange,
  language: Language,
): Promise<BulkResult> {
  const found = await findSelected(write, chosen);
  let changed = 0;
  const warnings: BulkWarning[] = [];
  for (const id of found.ids) {
    // Each guest is read again before their change: the change of another guest in this loop may have given this guest
    // free places.
    const stored = requireGuest(await findGuest(write.transaction, write.event.id, id));
    const { guest } = stored;
    const { details, answer } = readGuestChanges(fields, guestWithRsvp(stored));
    const remaining = (details.tags ?? guest.tags).filter((tag) => !remove.includes(tag));
    const tags = [...new Set([...remaining, ...add])];
    if (tags.length > MOST_TAGS) {
      throw new Refusal(400, 'too_many_tags', messages.tooManyTags(guest.name, MOST_TAGS), {
        field: 'add_tags',
        body: { guest_id: guest.id },
      });
    }
    const input = { details: { ...details, tags }, answer };
    const answered = await addIdToRefusal(guest.id, () =>
      saveAnswer(write, stored, input, { via: 'organizer', action: 'changed' }),
    );
    if (answered.isChanged) changed += 1;
    warnings.push(...warningsOf(answered, language).map((one) => ({ guest_id: id, ...one })));
  }
  return { ...found.counted, changed, warnings };
}

/** Deletes the selected guests. They can be restored like guests who were deleted one at a time. */
export async function deleteMany(write: EventWrite, chosen: GuestSelection): Promise<BulkResult> {
  const { ids, counted } = await findSelected(write, chosen);
  if (ids.length > 0) await deleteGuests(write, ids);
  return { ...counted, changed: ids.length, warnings: [] };
}

/** Restores deleted guests in the order of their ids in the request. */
export async function restoreMany(
  write: EventWrite,
  ids: readonly string[],
  language: Language,
): Promise<BulkResult> {
  refuseTooMany(ids.length);
  const not_found: string[] = [];
  const warnings: BulkWarning[] = [];
  for (const id of ids) {
    try {
      const restored = await addIdToRefusal(id, () => restoreGuest(write, id));
      warnings.push(...warningsOf(restored, language).map((one) => ({ guest_id: id, ...one })));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      not_found.push(id);
    }
  }
  const chosen = ids.length - not_found.length;
  return { chosen, changed: chosen, not_found, warnings };
}

async function findSelected(
  { transaction, event }: EventWrite,
  chosen: GuestSelection,
): Promise<{ ids: string[]; counted: Pick<BulkResult, 'chosen' | 'not_found'> }> {
  const ids = await findSelectedIds(transaction, event.id, chosen, MOST_AT_ONCE);
  refuseTooMany(ids.length);
  const not_found = await findMissingIds(transaction, event.id, chosen);
  return { ids, counted: { chosen: ids.length, not_found } };
}

function refuseTooMany(count: number): void {
  if (count > MOST_AT_ONCE) throw new Refusal(400, 'too_many', messages.tooManyAtOnce(MOST_AT_ONCE));
}

/**
 * Adds the guest's id to an error about one guest, so that the caller knows which guest of the selection it is about.
 */
async function addIdToRefusal<T>(guest_id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, words, more } = error;
    throw new Refusal(status, code, words, { ...more, body: { guest_id } });
  }
}
