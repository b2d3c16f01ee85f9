import { Refusal } from '../../kernel/refusal.ts';
import { identityMessages } from '../messages.ts';

/**
 * Page that a request comes from, as browsers report it. A browser attaches a cookie to every request of a page of the
 * same site, and strangers' sites may be on the same site: SameSite doesn't tell them from our own page, this check
 * does.
 */
export interface PageRequest {
  method: string;
  /** Host that the request was sent to, with its port: from a trusted proxy, otherwise from `Host`. */
  host: string;
  headers: {
    origin?: string | undefined;
    'sec-fetch-site'?: string | string[] | undefined;
    'sec-fetch-mode'?: string | string[] | undefined;
  };
}

const READING = ['GET', 'HEAD', 'OPTIONS'];
/**
 * Values of Sec-Fetch-Site for reading from our own page or from no page, such as the address bar. Undefined: browsers
 * from before 2023, other programs.
 */
const READ_BY = ['same-origin', 'none', undefined];

export function isReading({ method }: Pick<PageRequest, 'method'>): boolean {
  return READING.includes(method);
}

/**
 * True if the request may come from a page of this very origin. A change must say so; with `https`, a page that came
 * over plain http counts as another origin, since an attacker on the way may have written it. Reading is also allowed
 * to a followed link.
 */
export function isFromOwnPage(asked: PageRequest, { https }: { https: boolean }): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = asked.headers;
  if (isReading(asked)) return READ_BY.some((one) => one === site) || mode === 'navigate';
  return (site === undefined || site === 'same-origin') && isOrigin(asked, https);
}

function isOrigin({ host, headers: { origin = '' } }: PageRequest, https: boolean): boolean {
  const page = URL.parse(origin);
  if (!page || (https && page.protocol !== 'https:')) return false;
  // Default ports may be present or missing in either.
  const own = URL.parse(`${page.protocol}//${host}`);
  return own !== null && page.host !== '' && page.host === own.host;
}

export function wrongOrigin(): Refusal {
  return new Refusal(403, 'wrong_origin', identityMessages.wrongOrigin);
}
