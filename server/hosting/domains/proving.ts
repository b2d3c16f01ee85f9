import type { Clock } from '../../kernel/clock.ts';
import type { SiteTable } from '../gateway/sites.ts';
import { type Check, proofOf } from './check.ts';
import type { Domain, DomainStore } from './store.ts';

export interface ProvingParts {
  store: DomainStore;
  check: Check;
  sites: Pick<SiteTable, 'setDomains'>;
  appsDomain: string;
  clock: Clock;
}

export interface Proving {
  /** Looks a domain's records up and acts on what they say. undefined when the claim is gone by now. */
  check(domain: Domain): Promise<Domain | undefined>;
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

export function createProving({ store, check, sites, appsDomain, clock }: ProvingParts): Proving {
  const verdictOf = ({ hostname, token }: Domain) => check(proofOf(hostname, token, appsDomain));
  let published = new Map<string, string[]>();
  let following: NodeJS.Timeout | undefined;
  let publishing: Promise<void> = Promise.resolve();

  const checkOne = async (domain: Domain): Promise<Domain | undefined> => {
    const verdict = await verdictOf(domain);
    if (verdict !== 'proved') return store.note(domain, verdict, clock());
    // A new owner of the name takes it over, once the record of the one before is gone for certain.
    const holder = await store.holder(domain.hostname);
    const isOther = holder && holder.application_uuid !== domain.application_uuid;
    if (isOther) {
      const standing = await verdictOf(holder);
      if (standing === 'proved' || standing === 'dns_unavailable')
        return store.note(domain, 'taken', clock());
    }
    const proved = await store.prove(domain, clock(), isOther ? holder : undefined);
    return proved === 'taken' ? store.note(domain, 'taken', clock()) : proved;
  };

  const publishNow = async () => {
    const proved = await store.proved();
    // Lost ones first: a name that changed hands is then free for its new owner.
    for (const application of published.keys())
      if (!proved.has(application)) sites.setDomains(application, []);
    for (const [application, hostnames] of proved) sites.setDomains(application, hostnames);
    published = proved;
  };
  // One after the other, so that what was read first is not what is set last.
  const publish = (): Promise<void> => {
    publishing = publishing.catch(() => {}).then(publishNow);
    return publishing;
  };

  return {
    async check(domain) {
      const checked = await checkOne(domain);
      if (checked?.proved_at !== domain.proved_at || checked?.problem === null) await publish();
      return checked;
    },
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
