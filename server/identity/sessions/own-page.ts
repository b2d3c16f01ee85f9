import { Refusal } from '../../kernel/refusal.ts';
import { messages } from '../messages.ts';

/**
 * Which page a request comes from, as browsers tell it. A cookie comes along with whatever a page of the same site asks
 * for, and sites of strangers may be that: SameSite does not tell them from our own page, this does.
 */
export interface Asked {
  method: string;
  /** The host it was sent to, with its port: what a proxy that is trusted says of it, else `Host`. */
  host: string;
  headers: {
    origin?: string | undefined;
    'sec-fetch-site'?: string | string[] | undefined;
    'sec-fetch-mode'?: string | string[] | undefined;
  };
}

const READING = ['GET', 'HEAD', 'OPTIONS'];
/** By our own page, or by nobody's: typed into the address bar, say. Undefined: browsers of before 2023, other programs. */
const READ_BY = ['same-origin', 'none', undefined];

export function isReading({ method }: Pick<Asked, 'method'>): boolean {
  return READING.includes(method);
}

/**
 * Whether a page of this very origin may have asked. For a change it has to say so; `https`: then a page that came over
 * plain http, which anybody on the way may have written, is another one. To read it may also be a link that was followed.
 */
export function isFromOwnPage(asked: Asked, { https }: { https: boolean }): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = asked.headers;
  if (isReading(asked)) return READ_BY.some((one) => one === site) || mode === 'navigate';
  return (site === undefined || site === 'same-origin') && isOrigin(asked, https);
}

function isOrigin({ host, headers: { origin = '' } }: Asked, https: boolean): boolean {
  const page = URL.parse(origin);
  if (!page || (https && page.protocol !== 'https:')) return false;
  // Either may name the port that goes without saying.
  const own = URL.parse(`${page.protocol}//${host}`);
  return own !== null && page.host !== '' && page.host === own.host;
}

export function wrongOrigin(): Refusal {
  return new Refusal(403, 'wrong_origin', messages.wrongOrigin);
}
