import type { Fields } from './fields.ts';
import { readQuery, readQueryLeniently, wholeNumber } from './query-types.ts';

export interface Page {
  page: number;
  limit: number;
  offset: bigint;
}

const LARGEST_LIMIT = 1000;

/** Query parameters that choose a page of a list. */
export const pageQuery = { page: wholeNumber(1), limit: wholeNumber(20, LARGEST_LIMIT) };

/** Reads the query parameters that choose a page of a list. */
export function readPage(query: Fields): Page {
  return withOffset(readQuery(pageQuery, query));
}

/**
 * Reads the query parameters of a page for a list that never responds with an error: an invalid page or limit counts as
 * not given.
 */
export function readPageLeniently(query: Fields): Page {
  return withOffset(readQueryLeniently(pageQuery, query));
}

function withOffset({ page, limit }: { page: number; limit: number }): Page {
  return { page, limit, offset: (BigInt(page) - 1n) * BigInt(limit) };
}

/** Adds the page's number and its limit to a page of a list, in the form of the API's responses. */
export function addPage<T extends object>(
  { page, limit }: Page,
  found: T,
): T & { page: number; limit: number } {
  return { ...found, page, limit };
}
