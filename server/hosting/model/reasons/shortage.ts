import { isFullDisk } from '../../../kernel/full-disk.ts';
import { isOutOfFiles } from '../../../kernel/open-files.ts';
import { type Reason, reason } from './reason.ts';

/** What the server itself has too little of where something failed with that error, which is no fault of the site; else undefined. */
export function shortageOf(error: unknown): Reason | undefined {
  if (isFullDisk(error)) return reason('no_room');
  return isOutOfFiles(error) ? reason('no_files') : undefined;
}
