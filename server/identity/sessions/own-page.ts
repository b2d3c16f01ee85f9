import { Refusal } from '../../kernel/refusal.ts';
import { identityMessages } from '../messages.ts';

/**
 * Request and the headers in which a browser names the page that sent it. Browsers attach a cookie to requests of all
 * pages on the same site, where strangers may have pages too. The cookie's `SameSite` treats those like our own page,
 * so these headers are checked as well.
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
 * Values of the header Sec-Fetch-Site with which reading is allowed: the request is from our own page, or from no page
 * (such as the address bar). Undefined is allowed for browsers from before 2023 and other programs.
 */
const READ_BY = ['same-origin', 'none', undefined];

export function isReading({ method }: Pick<PageRequest, 'method'>): boolean {
  return READING.includes(method);
}

/**
 * True if a request may come from a page of this very origin. For a change the browser must say so. With `https`, a
 * page that was loaded over plain http counts as another origin, because an attacker on the network may have written
 * it. Reading is also allowed after a click on a link.
 */
export function isFromOwnPage(asked: PageRequest, { https }: { https: boolean }): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = asked.headers;
  if (isReading(asked)) return READ_BY.some((one) => one === site) || mode === 'navigate';
  return (site === undefined || site === 'same-origin') && isOrigin(asked, https);
}

function isOrigin({ host, headers: { origin = '' } }: PageRequest, https: boolean): boolean {
  const page = URL.parse(origin);
  if (!page || (https && page.protocol !== 'https:')) return false;
  // The headers Host and Origin may each leave out the protocol's default port.
  const own = URL.parse(`${page.protocol}//${host}`);
  return own !== null && page.host !== '' && page.host === own.host;
}

export function wrongOrigin(): Refusal {
  return new Refusal(403, 'wrong_origin', identityMessages.wrongOrigin);
}
