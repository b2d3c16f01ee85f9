/** Whether it is for want of room on the disk, or within a quota, that something could not be written. */
export function isFullDisk(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** The same of what a program says, which may say other things besides. */
export function saysFullDisk(said: string): boolean {
  return /no space left on device|disk quota exceeded/i.test(said);
}
