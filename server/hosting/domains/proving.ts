import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { SiteTable } from '../gateway/sites.ts';
import { type Check, type CheckProblem, proofOf } from './check.ts';
import type { Claim, Domain, DomainStore } from './store.ts';

export interface ProvingParts {
  db: Kysely<unknown>;
  store: DomainStore;
  check: Check;
  sites: Pick<SiteTable, 'setDomains'>;
  appsDomain: string;
  clock: Clock;
}

/** What the name servers say of a claim. */
export interface Finding {
  verdict: 'proved' | CheckProblem;
  /** Who has proved the name; loses it where the verdict is `proved`. */
  former: Domain | undefined;
}

export interface Proving {
  /** Asks the name servers, for some seconds, so never in a transaction. */
  look(claim: Claim): Promise<Finding>;
  /** Writes down what was found; `publish` comes after the commit. undefined when the claim is gone by now. */
  settle(claim: Claim, finding: Finding, through: Kysely<unknown>): Promise<Domain | undefined>;
  /** Looks after every claim that is due. */
  checkDue(): Promise<void>;
  /** Makes the gateway serve the domains that are proved, and no others. */
  publish(): Promise<void>;
  /** Publishes, and goes on doing so: what another server on the same database proves is served here, too. */
  follow(): Promise<void>;
  close(): void;
}

const AT_ONCE = 10;
const FOLLOW_MS = 15_000;

export function createProving({ db, store, check, sites, appsDomain, clock }: ProvingParts): Proving {
  const verdictOf = ({ hostname, token }: Claim) => check(proofOf(hostname, token, appsDomain));
  let published = new Map<string, string[]>();
  let following: NodeJS.Timeout | undefined;
  let publishing: Promise<void> = Promise.resolve();

  const look = async (claim: Claim): Promise<Finding> => {
    const verdict = await verdictOf(claim);
    if (verdict !== 'proved') return { verdict, former: undefined };
    // A new owner of the name takes it over, once the record of the one before is gone for certain.
    const holder = await store.holder(claim.hostname);
    if (!holder || holder.environment_id === claim.environment_id) return { verdict, former: undefined };
    const standing = await verdictOf(holder);
    const stands = standing === 'proved' || standing === 'dns_unavailable';
    return { verdict: stands ? 'taken' : 'proved', former: holder };
  };

  const settle = async (
    claim: Claim,
    { verdict, former }: Finding,
    through: Kysely<unknown>,
  ): Promise<Domain | undefined> => {
    if (verdict !== 'proved') return store.note(claim, verdict, clock(), through);
    const proved = await store.prove(claim, clock(), former, through);
    return proved === 'taken' ? store.note(claim, 'taken', clock(), through) : proved;
  };

  const checkOne = async (domain: Domain) => settle(domain, await look(domain), db);

  const publishNow = async () => {
    const proved = await store.proved();
    // Lost ones first: a name that changed hands is then free for its new owner.
    for (const environment of published.keys())
      if (!proved.has(environment)) sites.setDomains(environment, []);
    for (const [environment, hostnames] of proved) sites.setDomains(environment, hostnames);
    published = proved;
  };
  // One after the other, so that what was read first is not what is set last.
  const publish = (): Promise<void> => {
    publishing = publishing.catch(() => {}).then(publishNow);
    return publishing;
  };

  return {
    look,
    settle,
    async checkDue() {
      const due = await store.due(clock());
      for (let i = 0; i < due.length; i += AT_ONCE) {
        await Promise.all(due.slice(i, i + AT_ONCE).map(checkOne));
      }
      if (due.length > 0) await publish();
    },
    publish,
    async follow() {
      await publish();
      // A database that is away now is there again some other time; what is served stays as it is.
      following = setInterval(() => void publish().catch(() => {}), FOLLOW_MS).unref();
    },
    close: () => clearInterval(following),
  };
}
