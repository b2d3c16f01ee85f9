import { RULE_FILES } from '../../site-rules/site-rules.ts';

export interface SitePath {
  segments: string[];
  /** True if the path ends with a slash. */
  folder: boolean;
}

/**
 * Path of the requested file as clean segments. Undefined for paths that no site serves: dot files, `..`, NUL,
 * backslashes, broken escapes, the site's rule files. `.well-known` (RFC 8615) is the only name with a leading dot that
 * is served.
 */
export function parseSitePath(target: string): SitePath | undefined {
  const end = target.search(/[?#]/);
  let path: string;
  try {
    path = decodeURIComponent(end === -1 ? target : target.slice(0, end));
  } catch {
    return undefined;
  }
  if (!path.startsWith('/') || path.length > 1024 || /[\0\\]/.test(path)) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '');
  return isHidden(segments) ? undefined : { segments, folder: path.endsWith('/') };
}

export function isHidden(segments: readonly string[]): boolean {
  return (
    RULE_FILES.some((name) => name === segments[0]) ||
    segments.some((segment, index) => segment.startsWith('.') && !(index === 0 && segment === '.well-known'))
  );
}

/** Address of a folder with its trailing slash; requests without the slash are redirected to it. */
export function folderAddress(segments: readonly string[], target: string): string {
  return `/${segments.map((segment) => `${encodeURIComponent(segment)}/`).join('')}${queryOf(target)}`;
}

/** Query of a request target, including the question mark; empty if there is none. */
export function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? '' : target.slice(query);
}
