import type { IncomingMessage } from 'node:http';
import type { SiteFile } from './files.ts';

/**
 * True if the client has the file already. `If-None-Match` decides if present, otherwise `If-Modified-Since` (RFC 9110,
 * 13.2.2).
 */
export function isUnchanged(headers: IncomingMessage['headers'], etag: string, modified: Date): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) {
    return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
  }
  const since = headers['if-modified-since'];
  return since !== undefined && Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(since);
}

/** A range is only valid for an unchanged file; if the file has changed, the client gets all of it. */
export function mayContinue(ifRange: string | string[] | undefined, file: SiteFile): boolean {
  return ifRange === undefined || ifRange === file.etag || ifRange === file.modified.toUTCString();
}
