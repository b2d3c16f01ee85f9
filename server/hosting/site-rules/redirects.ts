import { type Captures, exactPath, matchPath, type Pattern, pathParts, readPattern } from './pattern.ts';
import { linesOf, type RuleProblem, type RuleProblemKind } from './problems.ts';

/** Rule in a line of a site's file `_redirects`. */
export interface Redirect {
  pattern: Pattern;
  /** Destination: a path in the site, or an http(s) address; `:name` is replaced by the value of that placeholder. */
  target: string;
  status: RedirectStatus;
  /** True if the rule applies even if a file exists at its path. */
  force: boolean;
}

/**
 * Statuses that a rule may have: 200 shows another page of the site, 404 shows an error page of the site, the others
 * redirect.
 */
const STATUSES = [200, 301, 302, 303, 307, 308, 404] as const;
export type RedirectStatus = (typeof STATUSES)[number];

/**
 * True if a rule with this status sends visitors to another address; otherwise they see another page at the same
 * address.
 */
export function isRedirect(status: RedirectStatus): boolean {
  return status >= 300 && status < 400;
}

/** Redirect rules of a site, arranged for fast lookup. The first matching line of `_redirects` applies. */
export interface Redirects {
  /** Rules for a single path without placeholders, by path. */
  exact: ReadonlyMap<string, Numbered[]>;
  patterns: readonly Numbered[];
}
type Numbered = Redirect & { line: number };

export const REDIRECT_LIMITS = { rules: 2_000, patterns: 200, line: 1_000 } as const;

/** Parses `_redirects` in the format of Netlify and Cloudflare Pages: from, to, status. */
export function readRedirects(text: string): { redirects: Redirects | undefined; problems: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const exact = new Map<string, Numbered[]>();
  const patterns: Numbered[] = [];
  let count = 0;
  for (const { line, words } of linesOf(text, REDIRECT_LIMITS.line, problems)) {
    const rule = readRedirect(words);
    if (typeof rule === 'string') {
      problems.push({ line, why: rule });
      continue;
    }
    if (count === REDIRECT_LIMITS.rules) {
      problems.push({ line, why: 'too_many' });
      break;
    }
    const path = exactPath(rule.pattern);
    if (path === undefined && patterns.length === REDIRECT_LIMITS.patterns) {
      problems.push({ line, why: 'too_many_patterns' });
      continue;
    }
    count += 1;
    const numbered = { ...rule, line };
    if (path === undefined) patterns.push(numbered);
    else exact.set(path, [...(exact.get(path) ?? []), numbered]);
  }
  return { redirects: count > 0 ? { exact, patterns } : undefined, problems };
}

function readRedirect(words: string): Redirect | RuleProblemKind {
  const comment = words.search(/\s#/);
  const [from = '', to, ...more] = words
    .slice(0, comment === -1 ? undefined : comment)
    .trim()
    .split(/\s+/);
  if (/^(https?:)?\/\//i.test(from)) return 'address';
  if (from.includes('?')) return 'query';
  const pattern = readPattern(from);
  if (!pattern) return 'path';
  const target = readTarget(to ?? '');
  if (typeof target === 'string') return target;
  const [code = '301', ...conditions] = more;
  const [, digits = '', force] = /^(\d{3})(!?)$/.exec(code) ?? [];
  const status = STATUSES.find((one) => one === Number(digits));
  if (code.includes('=') || conditions.some((one) => one.includes('='))) return 'condition';
  if (status === undefined || conditions.length > 0) return 'status';
  if (status === 200 || status === 404) {
    if (!target.isPath) return 'proxy';
    if (/^\/\.(?!well-known\/)/.test(target.text)) return 'hidden';
  }
  return { pattern, target: target.text, status, force: force === '!' };
}

function readTarget(to: string): { text: string; isPath: boolean } | RuleProblemKind {
  const text = to.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
  if (/^\/(?![/\\])/.test(text)) return { text, isPath: true };
  if (!/^https?:\/\//i.test(text)) return /^[^/]*=/.test(to) ? 'query' : 'target';
  // A placeholder in the host part would let visitors choose the host to which the site redirects.
  const [host = ''] = text.slice(text.indexOf('//') + 2).split(/[/?#\\]/, 1);
  return URL.canParse(text) && !/:[A-Za-z]/.test(host) ? { text, isPath: false } : 'target';
}

/** Finds the redirect rule for a path, and its destination. A redirect to the same path is ignored. */
export function findRedirect(
  { exact, patterns }: Redirects,
  segments: readonly string[],
  query: string,
): { rule: Redirect; to: string } | undefined {
  const path = segments.join('/');
  const follow = (rule: Numbered, captures: Captures) => {
    const to = destination(rule.target, captures, query);
    return !isRedirect(rule.status) || !leadsTo(to, segments) ? { rule, to } : undefined;
  };
  const own = exact.get(path) ?? [];
  let next = 0;
  for (const rule of patterns) {
    for (; next < own.length && (own[next] as Numbered).line < rule.line; next += 1) {
      const found = follow(own[next] as Numbered, {});
      if (found) return found;
    }
    const captures = matchPath(rule.pattern, segments);
    const found = captures && follow(rule, captures);
    if (found) return found;
  }
  for (const rule of own.slice(next)) {
    const found = follow(rule, {});
    if (found) return found;
  }
  return undefined;
}

/** Values of placeholders are percent-encoded, so that no part of them becomes another host, a query or a header. */
function destination(target: string, captures: Captures, query: string): string {
  const filled = target
    .replace(/:([A-Za-z]\w*)/g, (whole, name) => {
      const value = captures[name];
      return value === undefined ? whole : value.split('/').map(encodeURIComponent).join('/');
    })
    .replace(/^\/{2,}/, '/');
  if (query === '' || filled.includes('?')) return filled;
  const fragment = filled.indexOf('#');
  return fragment === -1 ? filled + query : filled.slice(0, fragment) + query + filled.slice(fragment);
}

function leadsTo(to: string, segments: readonly string[]): boolean {
  return to.startsWith('/') && pathParts(to.split(/[?#]/, 1)[0] ?? '')?.join('/') === segments.join('/');
}
