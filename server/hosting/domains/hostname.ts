import { domainToASCII, domainToUnicode } from 'node:url';
import { isAddress, isPrivateName } from '../gateway/hosts.ts';

export type HostnameVerdict = { hostname: string } | { wrong: 'form' | 'private' | 'ours' };

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/**
 * Names reserved for tests and examples, or for this machine (RFC 2606, RFC 6761, RFC 7686); no certificate is
 * available for them.
 */
const SPECIAL = /(^|\.)(localhost|onion|invalid|arpa)$/;

/**
 * Normalises and checks a custom domain entered by a person: lower case, other scripts as punycode. `ours`: the
 * platform's host and the domain of its sites.
 */
export function judgeHostname(text: string, ours: readonly string[]): HostnameVerdict {
  const trimmed = text.trim().replace(/\.$/, '');
  // The function domainToASCII would read numbers as IP addresses, and drop characters that do not belong to a host.
  const hostname = /[\s/\\:@?#%[\]_*]/.test(trimmed) ? '' : domainToASCII(trimmed);
  const labels = hostname.split('.');
  if (hostname.length > 253 || !labels.every((label) => LABEL.test(label))) return { wrong: 'form' };
  // Labels of host names that begin like punycode, but can't be decoded, are refused.
  if (/(^|\.)xn--/.test(domainToUnicode(hostname))) return { wrong: 'form' };
  if (isAddress(hostname) || /^\d+$/.test(labels.at(-1) ?? '')) return { wrong: 'form' };
  if (isPrivateName(hostname) || SPECIAL.test(hostname)) return { wrong: 'private' };
  const isOurs = ours.some((own) => hostname === own || hostname.endsWith(`.${own}`));
  return isOurs ? { wrong: 'ours' } : { hostname };
}
