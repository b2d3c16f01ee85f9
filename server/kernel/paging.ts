import type { Fields } from './fields.ts';

export interface Page {
  page: number;
  limit: number;
  offset: bigint;
}

const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 1000;

/** The page a query asks for. What does not fit takes its default: a list always answers. */
export function readPage(query: Fields): Page {
  const page = positiveInteger(query.page) ?? 1;
  const limit = Math.min(positiveInteger(query.limit) ?? DEFAULT_LIMIT, LARGEST_LIMIT);
  return { page, limit, offset: (BigInt(page) - 1n) * BigInt(limit) };
}

function positiveInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
