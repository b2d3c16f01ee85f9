import { Resolver } from 'node:dns/promises';

/** What name servers say of a name: its values, none, or nothing that could be relied on. */
export type Lookup = readonly string[] | 'failed';

export type CheckProblem = 'record_missing' | 'record_wrong' | 'dns_unavailable' | 'taken';
export type Verdict = 'proved' | Exclude<CheckProblem, 'taken'>;

/** The records of which one proves a domain. Both carry the same token, known from nowhere else. */
export interface Proof {
  cname: { name: string; value: string };
  txt: { name: string; value: string };
}

/**
 * The CNAME leads traffic here and proves the domain at once. It names the token and not the site's own host, for a
 * record left over must not prove anything to whoever is given that subdomain next.
 */
export function proofOf(hostname: string, token: string, appsDomain: string): Proof {
  return {
    cname: { name: hostname, value: `${token}.${appsDomain}` },
    txt: { name: `_simcha.${hostname}`, value: `simcha=${token}` },
  };
}

export function judge({ cname, txt }: { cname: Lookup; txt: Lookup }, proof: Proof): Verdict {
  const plain = (value: string) => value.trim().toLowerCase().replace(/\.$/, '');
  if (cname !== 'failed' && cname.some((value) => plain(value) === proof.cname.value)) return 'proved';
  if (txt !== 'failed' && txt.some((value) => value.trim() === proof.txt.value)) return 'proved';
  if (cname === 'failed' || txt === 'failed') return 'dns_unavailable';
  const isMeant = txt.some((value) => value.trim().startsWith('simcha='));
  return isMeant || cname.length > 0 ? 'record_wrong' : 'record_missing';
}

/** Looks a proof up. Never rejects, and takes some five seconds at most. */
export type Check = (proof: Proof) => Promise<Verdict>;

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** `servers` are addresses of resolvers, with a port or without; empty: the system's. */
export function createCheck(servers: readonly string[]): Check {
  return async (proof) => {
    // Of its own for each check: a resolver shared by all would queue them behind a slow one.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers([...servers]);
    const [cname, txt] = await Promise.all([
      looked(resolver.resolveCname(proof.cname.name)),
      // A long text comes in pieces.
      looked(resolver.resolveTxt(proof.txt.name).then((texts) => texts.map((pieces) => pieces.join('')))),
    ]);
    return judge({ cname, txt }, proof);
  };
}

function looked(answer: Promise<string[]>): Promise<Lookup> {
  return answer.catch((error: NodeJS.ErrnoException) => (NONE.has(error.code ?? '') ? [] : 'failed'));
}

// https://nodejs.org/api/dns.html#error-codes
const NONE = new Set(['ENODATA', 'ENOTFOUND']);
