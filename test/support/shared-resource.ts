/** Shares a resource of a process that takes long to make, from its first user to its last. */
export function shareResource<T extends AsyncDisposable>(start: () => Promise<T>) {
  let common: Promise<T> | undefined;
  let users = 0;
  return () => {
    users += 1;
    return {
      get: () => {
        common ??= start();
        return common;
      },
      async leave() {
        users -= 1;
        if (users > 0) return;
        // Users of the resource have received the error.
        const made = await common?.catch(() => undefined);
        await made?.[Symbol.asyncDispose]();
      },
    };
  };
}
