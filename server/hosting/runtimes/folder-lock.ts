import { type FolderLock, lockFolder } from '../../kernel/database/lock.ts';

/** Lock on a folder, which one process holds at a time: it keeps a server and its own restart apart, for example. */
export function createFolderLock(folder: string) {
  let lock: FolderLock | undefined;
  const claim = {
    /** Throws if another process holds the lock of the folder. */
    need(): void {
      lock ??= lockFolder(folder);
    },
    take(): boolean {
      try {
        claim.need();
        return true;
      } catch {
        return false;
      }
    },
    release(): void {
      lock?.release();
      lock = undefined;
    },
  };
  return claim;
}
