import { RULE_FILES } from '../../site-rules/site-rules.ts';

export interface SitePath {
  segments: string[];
  /** It ends with a slash. */
  folder: boolean;
}

/**
 * The path of a static site's file that a request target asks for, as clean segments; undefined for what can
 * be no file of a site: dot files, `..`, NUL, backslashes, broken escapes, the site's own rules.
 * `.well-known` (RFC 8615) is the one name with a dot in front that is served.
 */
export function sitePath(target: string): SitePath | undefined {
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

/** The address of a folder: what a request without the slash at its end is sent on to. */
export function folderAddress(segments: readonly string[], target: string): string {
  return `/${segments.map((one) => `${encodeURIComponent(one)}/`).join('')}${queryOf(target)}`;
}

/** The query of a request target with its question mark; empty where there is none. */
export function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? '' : target.slice(query);
}
