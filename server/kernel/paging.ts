import type { Fields } from './fields.ts';
import { readQuery, readWhatFits, wholeNumber } from './query-types.ts';

export interface Page {
  page: number;
  limit: number;
  offset: bigint;
}

const LARGEST_LIMIT = 1000;

/** Which page a list's query asks for. */
export const pageQuery = { page: wholeNumber(1), limit: wholeNumber(20, LARGEST_LIMIT) };

/** The page a query asks for. */
export function readPage(query: Fields): Page {
  return placed(readQuery(pageQuery, query));
}

/** The same of a list that always answers. */
export function readPageThatFits(query: Fields): Page {
  return placed(readWhatFits(pageQuery, query));
}

function placed({ page, limit }: { page: number; limit: number }): Page {
  return { page, limit, offset: (BigInt(page) - 1n) * BigInt(limit) };
}

/** What was found for a page, as the API answers it. */
export function onPage<T extends object>(
  { page, limit }: Page,
  found: T,
): T & { page: number; limit: number } {
  return { ...found, page, limit };
}
