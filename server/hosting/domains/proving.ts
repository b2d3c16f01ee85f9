import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { type Check, type CheckProblem, proofOf } from './check.ts';
import type { Claim, Domain, DomainStore } from './store.ts';

export interface ProvingParts {
  db: Kysely<unknown>;
  store: DomainStore;
  check: Check;
  appsDomain: string;
  clock: Clock;
}

/** Result of looking up the DNS records for a claim to a domain. */
export interface ClaimCheck {
  verdict: 'proved' | CheckProblem;
  /** Former owner of the domain, who loses it if the verdict is `proved`. */
  former: Domain | undefined;
}

export interface Proving {
  /** Looks up the DNS records for a claim to a domain, which takes some seconds, so never inside a transaction. */
  look(claim: Claim): Promise<ClaimCheck>;
  /** Stores the result of a lookup for a claim to a domain; undefined if the claim no longer exists. */
  settle(claim: Claim, finding: ClaimCheck, through: Kysely<unknown>): Promise<Domain | undefined>;
  /** Checks all claims to domains that are due for a check. */
  checkDue(): Promise<void>;
}

const AT_ONCE = 10;

export function createProving({ db, store, check, appsDomain, clock }: ProvingParts): Proving {
  const verdictOf = ({ hostname, token }: Claim) => check(proofOf(hostname, token, appsDomain));

  const look = async (claim: Claim): Promise<ClaimCheck> => {
    const verdict = await verdictOf(claim);
    if (verdict !== 'proved') return { verdict, former: undefined };
    // A new owner takes over the name only once the former owner's record is certainly gone.
    const holder = await store.holder(claim.hostname);
    if (!holder || holder.environment_id === claim.environment_id) return { verdict, former: undefined };
    const formerVerdict = await verdictOf(holder);
    const stands = formerVerdict === 'proved' || formerVerdict === 'dns_unavailable';
    return { verdict: stands ? 'taken' : 'proved', former: holder };
  };

  const settle = async (
    claim: Claim,
    { verdict, former }: ClaimCheck,
    through: Kysely<unknown>,
  ): Promise<Domain | undefined> => {
    if (verdict !== 'proved') return store.note(claim, verdict, clock(), through);
    const proved = await store.prove(claim, clock(), former, through);
    return proved === 'taken' ? store.note(claim, 'taken', clock(), through) : proved;
  };

  const checkOne = async (domain: Domain) => settle(domain, await look(domain), db);

  return {
    look,
    settle,
    async checkDue() {
      const due = await store.due(clock());
      for (let i = 0; i < due.length; i += AT_ONCE) {
        await Promise.all(due.slice(i, i + AT_ONCE).map(checkOne));
      }
    },
  };
}
