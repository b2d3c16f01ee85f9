/** Where to read a page: counted from the nearer end, so that the last page costs what the first one does. */
export interface Window {
  backwards: boolean;
  skip: number;
  take: number;
}

export function windowOf(total: number, { limit, offset }: { limit: number; offset: bigint }): Window {
  if (offset >= BigInt(total)) return { backwards: false, skip: 0, take: 0 };
  const skip = Number(offset);
  const take = Math.min(limit, total - skip);
  const behind = total - skip - take;
  return behind < skip ? { backwards: true, skip: behind, take } : { backwards: false, skip, take };
}
