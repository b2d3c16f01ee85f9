import { isIP } from 'node:net';
import { networkAt } from '../../kernel/http/client-address.ts';
import type { RuleScope } from '../rules/fields.ts';
import type { Rules } from '../rules/store.ts';
import { type HeaderRule, headersOf, readHeaders } from '../site-rules/headers.ts';
import { pathParts } from '../site-rules/pattern.ts';
import { findRedirect, type Redirects, readRedirects } from '../site-rules/redirects.ts';
import type { AddressedRequest } from './addressee.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { Login } from './login-check.ts';
import type { OutgoingResponse } from './outgoing-response.ts';
import { queryOf } from './static/path.ts';

/** Rules of a site that the gateway applies before the site: what visitors meet first. */
export interface VisitorRules {
  isInMaintenance: boolean;
  login: Login | undefined;
  redirects: Redirects | undefined;
  headers: readonly HeaderRule[] | undefined;
}

/** Parts of an application's rules that all its sites share. */
export type ParsedRules = Pick<VisitorRules, 'redirects' | 'headers'> &
  Pick<Rules, 'maintenance' | 'protection' | 'username' | 'password_hash' | 'version'>;

export function parseRules({ redirects, headers, ...rules }: Rules): ParsedRules {
  return {
    ...rules,
    redirects: readRedirects(redirects).redirects,
    headers: readHeaders(headers).headers,
  };
}

/** Rules of production or of a preview, by the rules of their application. */
export function rulesForSite(rules: ParsedRules, isPreview: boolean): VisitorRules {
  const { redirects, headers, maintenance, protection, username, password_hash: passwordHash } = rules;
  const applies = (scope: RuleScope) => scope === 'all' || scope === (isPreview ? 'previews' : 'production');
  return {
    isInMaintenance: applies(maintenance),
    login: applies(protection) && username && passwordHash ? { username, passwordHash } : undefined,
    redirects,
    headers,
  };
}

/** Status and destination of a redirect for a request, by a site's rules; undefined if none applies. */
export function redirectFor(
  { redirects }: VisitorRules,
  { target }: Pick<AddressedRequest, 'target'>,
): { status: number; to: string } | undefined {
  if (!redirects) return undefined;
  const query = queryOf(target);
  const segments = pathParts(query === '' ? target : target.slice(0, -query.length));
  const found = segments && findRedirect(redirects, segments, query);
  return found && { status: found.rule.status, to: found.to };
}

/** Sets the headers for a path on an answer. Headers that the site sends itself stay as the site sends them. */
export function setRuleHeaders({ headers }: VisitorRules, target: string, response: OutgoingResponse): void {
  const segments = headers && pathParts(target.split('?', 1)[0] ?? '');
  if (!segments) return;
  for (const [name, value] of headersOf(headers, segments)) response.setHeader(name, value);
}

/** Network by which wrong passwords of a visitor are counted: behind a trusted proxy, of the address that it names. */
export function visitorOf(request: IncomingRequest, address: string, isTrusted: boolean): string {
  const forwarded = request.header('x-forwarded-for');
  const named = isTrusted ? forwarded?.split(',').at(-1)?.trim() : '';
  return networkAt(named && isIP(named) !== 0 ? named : address);
}
