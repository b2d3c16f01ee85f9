import { matchPath, type Pattern, readPattern } from './pattern.ts';
import { linesOf, type RuleProblem } from './problems.ts';
import { isProxyCommand } from './proxy-commands.ts';

/**
 * Rule of a site's `_headers` file: a pattern of paths, and the headers for files at these paths, with lower-case
 * names.
 */
export interface HeaderRule {
  pattern: Pattern;
  headers: readonly (readonly [name: string, value: string])[];
}

export const HEADER_LIMITS = { paths: 200, headers: 1_000, line: 2_000, answerBytes: 8 * 1024 } as const;

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e]+$/;

/**
 * Headers that a site's `_headers` file can't set. Some say where the message ends or describe the bytes sent (RFC
 * 9110, RFC 9112), which only the gateway knows. Others affect more than the site: cookies and `Clear-Site-Data` affect
 * neighbouring sites, `Alt-Svc` names another server; `Basic-Auth`, Netlify's own, would show passwords to everybody.
 */
const OWNED = new Set([
  'accept-ranges',
  'age',
  'allow',
  'alt-svc',
  'basic-auth',
  'clear-site-data',
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'location',
  'proxy-authenticate',
  'proxy-connection',
  'server',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Parses `_headers` in the format of Netlify and Cloudflare Pages: a path, and below it lines of `Name: value`. */
export function readHeaders(text: string): { headers: HeaderRule[] | undefined; problems: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const rules: { pattern: Pattern; headers: [string, string][] }[] = [];
  /** Headers below the current path; undefined below an ignored path, whose headers are ignored too. */
  let current: [string, string][] | undefined;
  let hasPath = false;
  let count = 0;
  for (const { line, words } of linesOf(text, HEADER_LIMITS.line, problems)) {
    const isAddress = /^https?:\/\//i.test(words);
    if (isAddress || words.startsWith('/')) {
      hasPath = true;
      current = undefined;
      const pattern = isAddress ? undefined : readPattern(words);
      if (!pattern) problems.push({ line, why: isAddress ? 'address' : 'path' });
      else if (rules.length === HEADER_LIMITS.paths) problems.push({ line, why: 'too_many' });
      else {
        current = [];
        rules.push({ pattern, headers: current });
      }
      continue;
    }
    const header = readHeader(words);
    if (!hasPath) problems.push({ line, why: 'no_path' });
    else if ('why' in header) problems.push({ line, ...header });
    else if (current && count === HEADER_LIMITS.headers) {
      problems.push({ line, why: 'too_many' });
      break;
    } else if (current) {
      current.push([header.name, header.value]);
      count += 1;
    }
  }
  return { headers: count > 0 ? rules : undefined, problems };
}

function readHeader(words: string): { name: string; value: string } | Omit<RuleProblem, 'line'> {
  const colon = words.indexOf(':');
  const name = words.slice(0, colon).trim().toLowerCase();
  const value = words.slice(colon + 1).trim();
  if (colon === -1 || !NAME.test(name)) return { why: 'header' };
  if (OWNED.has(name) || isProxyCommand(name) || name.startsWith('simcha-')) return { why: 'owned', name };
  return VALUE.test(value) ? { name, value } : { why: 'value', name };
}

/**
 * Headers for a path, from all matching rules, up to a total size that proxies accept in one answer. Values of headers
 * with the same name are joined, as in one message (RFC 9110, 5.3).
 */
export function headersOf(rules: readonly HeaderRule[], segments: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  let bytes = 0;
  for (const { pattern, headers } of rules) {
    if (!matchPath(pattern, segments)) continue;
    for (const [name, value] of headers) {
      // The bytes between a header's name and value (`: `), at its end, and between joined values count towards the
      // total size too.
      const size = name.length + value.length + ': \r\n'.length;
      if (bytes + size > HEADER_LIMITS.answerBytes) continue;
      bytes += size;
      const before = found.get(name);
      found.set(name, before === undefined ? value : `${before}, ${value}`);
    }
  }
  return found;
}
