import { randomText } from '../../kernel/random.ts';

/**
 * Subdomains that no site may have: people would take them for the platform's own, or software looks them up
 * automatically.
 */
const RESERVED = new Set(
  `www www1 www2 api app apps admin administrator auth login signin signup account accounts my console dashboard
  panel portal simcha docs help support status health metrics monitoring static assets cdn media files img images
  mail email smtp imap pop pop3 webmail mx mx1 mx2 autoconfig autodiscover mta-sts ns ns1 ns2 dns ftp sftp ssh git
  vpn proxy gateway db database internal intranet local localhost root system wpad isatap _dmarc billing pay payment
  payments security abuse postmaster hostmaster webmaster noreply test staging dev example new`.split(/\s+/),
);

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

export type SubdomainVerdict = { subdomain: string } | { wrong: 'form' | 'reserved' };

/**
 * Normalises and checks a subdomain entered by a person. Labels with hyphens in positions 3 and 4 (xn--…) are reserved
 * for encoded scripts.
 */
export function judgeSubdomain(text: string): SubdomainVerdict {
  const subdomain = text.trim().toLowerCase();
  if (!LABEL.test(subdomain) || subdomain.slice(2, 4) === '--') return { wrong: 'form' };
  return RESERVED.has(subdomain) ? { wrong: 'reserved' } : { subdomain };
}

const LONGEST_MADE = 40;
const SUFFIX_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Makes a subdomain from an application's name; with a random ending if it is taken or reserved. */
export function subdomainFrom(name: string, ending?: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_MADE)
    .replace(/^-+|-+$/g, '');
  const subdomain = ending || plain === '' ? `${plain || 'site'}-${ending ?? randomEnding()}` : plain;
  return 'wrong' in judgeSubdomain(subdomain) ? subdomainFrom(name, randomEnding()) : subdomain;
}

/** Creates a random ending for a subdomain: five letters, which gives 33 million possibilities. */
export function randomEnding(): string {
  return randomText(5, SUFFIX_LETTERS);
}
