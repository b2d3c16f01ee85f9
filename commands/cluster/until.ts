/** Waits for a condition; throws if the condition does not become true in time. */
export async function until(condition: () => boolean | Promise<boolean>, mostMs = 60_000): Promise<void> {
  for (const deadline = Date.now() + mostMs; Date.now() < deadline; ) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`still not true after ${mostMs} ms: ${condition}`);
}
