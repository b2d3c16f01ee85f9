/**
 * Returns the result of `work`, or rejects with the signal's reason as soon as the signal is aborted. The work itself
 * is not stopped.
 */
export function makeAbortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abandon = () => reject(signal.reason);
  if (signal.aborted) abandon();
  signal.addEventListener('abort', abandon, { once: true });
  const forget = () => signal.removeEventListener('abort', abandon);
  work.then(resolve, reject).finally(forget);
  return promise;
}
