const isSeen = (): boolean => document.visibilityState === 'visible';

/** Waits until the page is visible to the user, or until the signal is aborted. */
export function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (isSeen() || signal.aborted) return resolve();
    const checkVisibility = () => {
      if (!isSeen() && !signal.aborted) return;
      document.removeEventListener('visibilitychange', checkVisibility);
      signal.removeEventListener('abort', checkVisibility);
      resolve();
    };
    document.addEventListener('visibilitychange', checkVisibility);
    signal.addEventListener('abort', checkVisibility);
  });
}

/**
 * Runs `work` with a signal that is aborted when the page has been hidden for `lingersMs` milliseconds, or when the
 * signal `outer` is aborted.
 */
export async function whileVisible(
  outer: AbortSignal,
  lingersMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const unseen = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const checkVisibility = () => {
    clearTimeout(timer);
    if (!isSeen()) timer = setTimeout(() => unseen.abort(), lingersMs);
  };
  document.addEventListener('visibilitychange', checkVisibility);
  try {
    await work(AbortSignal.any([outer, unseen.signal]));
  } finally {
    document.removeEventListener('visibilitychange', checkVisibility);
    clearTimeout(timer);
  }
}
