/** True if writing failed because the disk is full or a quota is used up. */
export function isFullDisk(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** True if a program's output names a full disk or quota, among other things. */
export function reportsFullDisk(output: string): boolean {
  return /no space left on device|disk quota exceeded/i.test(output);
}
