import type { Fields } from './fields.ts';
import { readWhole, type Takes } from './takes.ts';

export interface Page {
  page: number;
  limit: number;
  offset: bigint;
}

const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 1000;

/** A positive integer of a query. What does not fit takes its default: a list always answers. */
function positive(otherwise: number, schema: Takes<number>['schema']): Takes<number> {
  return {
    read(_field, value) {
      const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : 0;
      return Number.isSafeInteger(number) && number > 0 ? number : otherwise;
    },
    schema: { type: 'integer', minimum: 1, default: otherwise, ...schema },
  };
}

/** Which page a list's query asks for. */
export const pageFields = {
  page: { takes: positive(1, {}), empty: 1 },
  limit: {
    takes: positive(DEFAULT_LIMIT, { maximum: LARGEST_LIMIT, description: `Cut at ${LARGEST_LIMIT}.` }),
    empty: DEFAULT_LIMIT,
  },
};

export function readPage(query: Fields): Page {
  const { page, limit: asked } = readWhole(pageFields, query);
  const limit = Math.min(asked, LARGEST_LIMIT);
  return { page, limit, offset: (BigInt(page) - 1n) * BigInt(limit) };
}
