import { Resolver } from 'node:dns/promises';

/**
 * Result of a DNS lookup: the values of the records (an empty list if there are none), or `failed` if no name server
 * gave a reliable answer.
 */
export type Lookup = readonly string[] | 'failed';

export type CheckProblem = 'record_missing' | 'record_wrong' | 'dns_unavailable' | 'taken';
export type Verdict = 'proved' | Exclude<CheckProblem, 'taken'>;

/** DNS records, one of which proves a domain. Both contain the same secret token. */
export interface Proof {
  cname: { name: string; value: string };
  txt: { name: string; value: string };
}

/**
 * DNS records for a domain. The CNAME leads traffic to the platform and proves the domain at once. It contains the
 * token rather than the site's host, so that a leftover record proves nothing to the next owner of that subdomain.
 */
export function proofOf(hostname: string, token: string, appsDomain: string): Proof {
  return {
    cname: { name: hostname, value: `${token}.${appsDomain}` },
    txt: { name: `_simcha.${hostname}`, value: `simcha=${token}` },
  };
}

export function judgeProof({ cname, txt }: { cname: Lookup; txt: Lookup }, proof: Proof): Verdict {
  const plain = (value: string) => value.trim().toLowerCase().replace(/\.$/, '');
  if (cname !== 'failed' && cname.some((value) => plain(value) === proof.cname.value)) return 'proved';
  if (txt !== 'failed' && txt.some((value) => value.trim() === proof.txt.value)) return 'proved';
  if (cname === 'failed' || txt === 'failed') return 'dns_unavailable';
  const isMeant = txt.some((value) => value.trim().startsWith('simcha='));
  return isMeant || cname.length > 0 ? 'record_wrong' : 'record_missing';
}

/** Looks up the DNS records that prove a domain. Never rejects, and takes at most about five seconds. */
export type Check = (proof: Proof) => Promise<Verdict>;

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Creates the check of domains' DNS records. `servers`: addresses of resolvers, with or without a port; empty: the
 * system's resolvers.
 */
export function createCheck(servers: readonly string[]): Check {
  return async (proof) => {
    // Each check of a domain has its own resolver; a shared one would queue all checks behind a slow one.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers([...servers]);
    const [cname, txt] = await Promise.all([
      looked(resolver.resolveCname(proof.cname.name)),
      // Long values of TXT records arrive in several parts.
      looked(resolver.resolveTxt(proof.txt.name).then((texts) => texts.map((pieces) => pieces.join('')))),
    ]);
    return judgeProof({ cname, txt }, proof);
  };
}

function looked(answer: Promise<string[]>): Promise<Lookup> {
  return answer.catch((error: NodeJS.ErrnoException) => (NONE.has(error.code ?? '') ? [] : 'failed'));
}

// Error codes for a name without records: https://nodejs.org/api/dns.html#error-codes
const NONE = new Set(['ENODATA', 'ENOTFOUND']);
