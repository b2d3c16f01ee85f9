import { readQuery, wholeNumber } from './asks.ts';
import type { Fields } from './fields.ts';

export interface Page {
  page: number;
  limit: number;
  offset: bigint;
}

const LARGEST_LIMIT = 1000;

/** Which page a list's query asks for. */
export const pageQuery = { page: wholeNumber(1), limit: wholeNumber(20, LARGEST_LIMIT) };

/** The page a query asks for. What does not fit takes its default: a list always answers. */
export function readPage(query: Fields): Page {
  const { page, limit } = readQuery(pageQuery, query);
  return { page, limit, offset: (BigInt(page) - 1n) * BigInt(limit) };
}

/** What was found for a page, as the API answers it. */
export function onPage<T extends object>(
  { page, limit }: Page,
  found: T,
): T & { page: number; limit: number } {
  return { ...found, page, limit };
}
