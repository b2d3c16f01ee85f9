import { type FolderLock, lockFolder } from '../../kernel/database/lock.ts';

/** A folder that one process at a time has for itself, such as the lives of a server one after another. */
export function createFolderLock(folder: string) {
  let lock: FolderLock | undefined;
  const claim = {
    /** Throws where another process has it. */
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
