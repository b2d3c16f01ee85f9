import type { ReadHistoryData } from 'simcha-client';

type Subject = NonNullable<NonNullable<ReadHistoryData['query']>['subject']>;

/** Kinds of records by which the history can be filtered. Changes of all others are shown only without a filter. */
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
 * Reads the address. All parameters are named here, because the router passes on those that are not named without a
 * check.
 */
export const readHistorySearch = ({ about }: Record<string, unknown>): HistorySearch => ({
  about: HISTORY_FILTERS.find((known) => known === about),
});
