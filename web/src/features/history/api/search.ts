import type { ReadHistoryData } from 'simcha-client';

type Subject = NonNullable<NonNullable<ReadHistoryData['query']>['subject']>;

/**
 * Kinds of records by which the user can filter the history. Changes of other kinds are shown only if no filter is
 * chosen.
 */
export const HISTORY_FILTERS = [
  'event',
  'guest',
  'booking',
  'round',
  'checklist',
] as const satisfies Subject[];
export type HistoryFilter = (typeof HISTORY_FILTERS)[number];

export interface HistorySearch {
  about?: HistoryFilter | undefined;
}

/**
 * Reads the search parameters of the history's address. All are named here, because the router passes on unnamed
 * parameters without a check.
 */
export const readHistorySearch = ({ about }: Record<string, unknown>): HistorySearch => ({
  about: HISTORY_FILTERS.find((known) => known === about),
});
