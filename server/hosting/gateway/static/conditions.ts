import type { IncomingRequest } from '../incoming-request.ts';
import type { SiteFile } from './files.ts';

/**
 * True if the client has the file already. `If-None-Match` decides if present, otherwise `If-Modified-Since` (RFC 9110,
 * 13.2.2).
 */
export function isUnchanged(request: IncomingRequest, etag: string, modified: Date): boolean {
  const known = request.header('if-none-match');
  if (known !== undefined) {
    return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
  }
  const since = request.header('if-modified-since');
  return since !== undefined && Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(since);
}

/** A range is only valid for an unchanged file; if the file has changed, the client gets all of it. */
export function mayContinue(ifRange: string | undefined, file: SiteFile): boolean {
  return ifRange === undefined || ifRange === file.etag || ifRange === file.modified.toUTCString();
}
