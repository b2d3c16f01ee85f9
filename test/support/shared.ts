/** One thing of a process for all who take it, which takes long to make: from the first who asks to the last who leaves. */
export function shared<T extends AsyncDisposable>(start: () => Promise<T>) {
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
        // Whoever asked has been told why there is none.
        const made = await common?.catch(() => undefined);
        await made?.[Symbol.asyncDispose]();
      },
    };
  };
}
