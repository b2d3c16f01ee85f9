/**
 * Makes a function that shares a resource within a process, because it takes long to make: the first user starts it,
 * the last one ends it.
 */
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
        // If the shared resource could not be made, each call of `get` has thrown the error, so it is ignored here.
        const made = await common?.catch(() => undefined);
        await made?.[Symbol.asyncDispose]();
      },
    };
  };
}
