import { LOWEST_ID } from '../identifiers.ts';

const AT_ONCE = 100;

/**
 * Reads rows in the order of their ids, a batch at a time: `find` returns up to `most` rows whose id is greater than
 * `after`.
 */
export async function* readInBatches<T extends { id: string }>(
  find: (after: string, most: number) => Promise<T[]>,
): AsyncGenerator<T> {
  for (let after = LOWEST_ID; ; ) {
    const rows = await find(after, AT_ONCE);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last.id;
  }
}
