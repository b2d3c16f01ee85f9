/** A page of a list: what is listed, under its own name, and how many there are in all. */
interface Page {
  total: number;
  page: number;
  limit: number;
}

/** What a page lists. */
export type Listed<T> = { [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item : never }[keyof T];

/**
 * All that a list has, page by page as it is read:
 *
 *     for await (const guest of pages((page) => listGuests({ client, path: { id }, query: { ...page, status: ['waiting'] } }))) …
 *
 * What is added or taken away meanwhile may move others over a page's edge: one of them may come twice, or not.
 */
export async function* pages<T extends Page>(
  read: (page: { page: number; limit: number }) => Promise<{ data: T }>,
  limit = 100,
): AsyncGenerator<Listed<T>, void, undefined> {
  for (let page = 1; ; page += 1) {
    const { data } = await read({ page, limit });
    const items = Object.values(data).find(Array.isArray) as Listed<T>[] | undefined;
    yield* items ?? [];
    if (!items?.length || data.page * data.limit >= data.total) return;
  }
}
