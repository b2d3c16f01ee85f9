import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Figures, readFigures } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { siteKey } from '../../sites/api/sites.ts';

export type SiteFigures = Figures;

const HOUR = 3_600;

/** Spans of time that the page offers, and the length of their intervals, in seconds. */
export const SPANS = {
  hour: { seconds: HOUR, step: 60, refreshMs: 15_000 },
  day: { seconds: 24 * HOUR, step: 300, refreshMs: 60_000 },
  week: { seconds: 7 * 24 * HOUR, step: HOUR, refreshMs: 300_000 },
  month: { seconds: 30 * 24 * HOUR, step: 21_600, refreshMs: 300_000 },
} as const;

export type Span = keyof typeof SPANS;

export const figuresQuery = (name: string, span: Span) =>
  queryOptions<SiteFigures>({
    queryKey: [...siteKey(name), 'figures', span],
    refetchInterval: SPANS[span].refreshMs,
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      const { seconds, step } = SPANS[span];
      const since = new Date(Date.now() - seconds * 1_000).toISOString();
      return (await readFigures({ client, signal, path: { uuid: name }, query: { since, step } })).data;
    },
  });
