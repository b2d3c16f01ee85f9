/** Page of a list response, except its items, whose field has another name in each list. */
interface Page {
  total: number;
  page: number;
  limit: number;
}

/** Type of the items in a page of a list response. */
export type ListedItem<T> = { [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item : never }[keyof T];

/**
 * Reads a whole list, one page after the other:
 *
 *     for await (const guest of paginate((page) => listGuests({ client, path: { id }, query: { ...page, status:
 * ['waiting'] } }))) …
 *
 * An item that is added or removed meanwhile may move others over a page's edge: an item may come twice or be left out.
 */
export async function* paginate<T extends Page>(
  read: (page: { page: number; limit: number }) => Promise<{ data: T }>,
  limit = 100,
): AsyncGenerator<ListedItem<T>, void, undefined> {
  for (let page = 1; ; page += 1) {
    const { data } = await read({ page, limit });
    const items = Object.values(data).find(Array.isArray) as ListedItem<T>[] | undefined;
    yield* items ?? [];
    if (!items?.length || data.page * data.limit >= data.total) return;
  }
}
