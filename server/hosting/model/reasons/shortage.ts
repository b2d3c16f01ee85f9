import { isFullDisk } from '../../../kernel/full-disk.ts';
import { isOutOfFiles } from '../../../kernel/open-files.ts';
import { type Reason, reason } from './reason.ts';

/** Shortage on the server that caused this error, which is not the site's fault; undefined for other errors. */
export function shortageOf(error: unknown): Reason | undefined {
  if (isFullDisk(error)) return reason('no_room');
  return isOutOfFiles(error) ? reason('no_files') : undefined;
}
