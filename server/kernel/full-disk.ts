/** True if writing failed because the disk is full or a quota is used up. */
export function isFullDisk(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** True if a program's output says that the disk is full or a quota is used up. The output may say other things too. */
export function reportsFullDisk(output: string): boolean {
  return /no space left on device|disk quota exceeded/i.test(output);
}
