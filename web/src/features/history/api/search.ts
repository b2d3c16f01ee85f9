import type { ReadHistoryData } from 'simcha-client';

type Subject = NonNullable<NonNullable<ReadHistoryData['query']>['subject']>;

/** Subjects to filter by; the others appear only in the whole history. */
export const ABOUT = ['event', 'guest', 'booking', 'round', 'checklist'] as const satisfies Subject[];
export type About = (typeof ABOUT)[number];

export interface HistorySearch {
  about?: About | undefined;
}

/** Reads the address. All parameters are named here: the router keeps the others as they came. */
export const readHistorySearch = ({ about }: Record<string, unknown>): HistorySearch => ({
  about: ABOUT.find((known) => known === about),
});
