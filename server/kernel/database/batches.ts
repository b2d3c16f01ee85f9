/** No id comes before it. */
const FIRST = '00000000-0000-0000-0000-000000000000';
const AT_ONCE = 100;

/** Rows in the order of their ids, found some at a time: `find` gives at most `most` of those after an id. */
export async function* inBatches<T extends { id: string }>(
  find: (after: string, most: number) => Promise<T[]>,
): AsyncGenerator<T> {
  for (let after = FIRST; ; ) {
    const rows = await find(after, AT_ONCE);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last.id;
  }
}
