import type { ReadHistoryData } from 'simcha-client';

type Subject = NonNullable<NonNullable<ReadHistoryData['query']>['subject']>;

/** What one may want to see alone; the rest is in all of it. */
export const ABOUT = ['event', 'guest', 'booking', 'round', 'checklist'] as const satisfies Subject[];
export type About = (typeof ABOUT)[number];

export interface HistorySearch {
  about?: About | undefined;
}

/** What is not named here again would stay as it came. */
export const readHistorySearch = ({ about }: Record<string, unknown>): HistorySearch => ({
  about: ABOUT.find((known) => known === about),
});
