import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { insertInto } from '../../kernel/database/rows.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { invalidField } from '../../kernel/fields.ts';
import { randomText } from '../../kernel/random.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { CheckProblem } from './check.ts';
import { messages } from './messages.ts';

export interface Domain {
  environment_id: string;
  hostname: string;
  token: string;
  created_at: string;
  proved_at: string | null;
  checked_at: string | null;
  problem: CheckProblem | null;
  /** Domain of the same environment to which visitors are sent on. */
  redirect_to: string | null;
  certificate_asked_at: string | null;
}

/** Claim of an environment to a host name, with its token. */
export type Claim = Pick<Domain, 'environment_id' | 'hostname' | 'token'>;

type TimeField = 'created_at' | 'proved_at' | 'checked_at' | 'certificate_asked_at';
type Row = Omit<Domain, TimeField> & Record<TimeField, Date | null>;

export const MOST_DOMAINS = 20;
/** Period in which a domain without its DNS record is checked automatically; later, it is checked only on request. */
const CHECKED_FOR = '7 days';
const CHECKED_AT_ONCE = 100;
/** SQL condition: a claim to a domain is due for a check. */
export const hasDueClaims = sql<boolean>`exists (select from domains where ${isCheckedAt(sql`now()`)})`;

/** Time after which another question about a domain's certificate is recorded again. */
const ASKED_AGAIN = '1 day';

const columns = sql`
  environment_id, hostname, token, created_at, proved_at, checked_at, problem, redirect_to, certificate_asked_at`;

/** Custom domains and claims to them, in the database. */
export class DomainStore {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /** Existing claim of the environment to the host name, or a new claim that is not yet stored. */
  async claim(environmentId: string, hostname: string): Promise<Claim> {
    const [existing] = await this.#fetch(
      sql`select ${columns} from domains where ${isClaim(environmentId, hostname)}`,
    );
    return existing ?? { environment_id: environmentId, hostname, token: newToken() };
  }

  /**
   * Stores a claim to a host name, unless the environment already has one; undefined if the environment no longer
   * exists. Throws a 409 if the environment has too many domains, and a 400 for a redirect to no other of its domains.
   */
  add(
    { environment_id: environmentId, hostname, token }: Claim,
    redirectTo: string | null,
    now: Temporal.Instant,
    through: Kysely<unknown>,
  ): Promise<Domain | undefined> {
    return inTransaction(through, async (transaction) => {
      if (!(await lockDomains(environmentId, transaction))) return undefined;
      const [existing] = await this.#fetch(
        sql`select ${columns} from domains where ${isClaim(environmentId, hostname)}`,
        transaction,
      );
      if (existing) return existing;
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from domains where environment_id = ${environmentId}`.execute(
        transaction,
      );
      if ((rows[0]?.count ?? 0) >= MOST_DOMAINS) {
        throw new Refusal(409, 'too_many_domains', messages.tooMany(MOST_DOMAINS));
      }
      await this.#checkRedirect({ environmentId, hostname, redirectTo }, transaction);
      const row = {
        environment_id: environmentId,
        hostname,
        token,
        created_at: now,
        redirect_to: redirectTo,
      };
      const [added] = await this.#fetch(
        sql`
          ${insertInto('domains', row)}
          returning ${columns}`,
        transaction,
      );
      if (!added) throw new Error('insert returned no row');
      return added;
    });
  }

  /**
   * Sets where a domain redirects to; undefined if it does not exist. Throws a 400 for a redirect to no other domain of
   * the environment.
   */
  redirect(
    { environmentId, hostname, redirectTo }: Redirect,
    through: Kysely<unknown>,
  ): Promise<Domain | undefined> {
    return inTransaction(through, async (transaction) => {
      if (!(await lockDomains(environmentId, transaction))) return undefined;
      await this.#checkRedirect({ environmentId, hostname, redirectTo }, transaction);
      const [changed] = await this.#fetch(
        sql`
          update domains set redirect_to = ${redirectTo} where ${isClaim(environmentId, hostname)}
          returning ${columns}`,
        transaction,
      );
      return changed;
    });
  }

  /** Records that a proxy in front asked whether it may request a certificate for a proved domain. */
  async noteCertificateAsked(hostname: string, now: Temporal.Instant): Promise<void> {
    const at = toTimestamp(now);
    await sql`
      update domains set certificate_asked_at = ${at}
      where hostname = ${hostname} and proved_at is not null
        and (certificate_asked_at is null or certificate_asked_at < ${at}::timestamptz - ${ASKED_AGAIN}::interval)`.execute(
      this.#db,
    );
  }

  list(environmentId: string): Promise<Domain[]> {
    return this.#fetch(
      sql`select ${columns} from domains where environment_id = ${environmentId} order by hostname`,
    );
  }

  async find(environmentId: string, hostname: string): Promise<Domain | undefined> {
    const [found] = await this.#fetch(
      sql`select ${columns} from domains where ${isClaim(environmentId, hostname)}`,
    );
    return found;
  }

  /** Finds the domain of the environment that has proved this host name. */
  async holder(hostname: string): Promise<Domain | undefined> {
    const [holder] = await this.#fetch(
      sql`select ${columns} from domains where hostname = ${hostname} and proved_at is not null`,
    );
    return holder;
  }

  /** Deletes a domain; false if it does not exist. */
  async remove(environmentId: string, hostname: string, through: Kysely<unknown>): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      delete from domains where ${isClaim(environmentId, hostname)}`.execute(through);
    return numAffectedRows > 0n;
  }

  /**
   * Stores the proof of a domain, and takes the host name from `former`, whose DNS record is gone. `taken` if another
   * environment has proved the name in the meantime; undefined if the claim no longer exists.
   */
  async prove(
    { environment_id, hostname }: Claim,
    now: Temporal.Instant,
    former: Claim | undefined,
    through: Kysely<unknown>,
  ): Promise<Domain | 'taken' | undefined> {
    return inTransaction(through, async (transaction) => {
      // Transactions that prove the same host name run one after the other, so that each sees what the one before it
      // has written.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${hostname}`}, 0))`.execute(
        transaction,
      );
      if (former) {
        await sql`
          update domains set proved_at = null, problem = 'record_missing', checked_at = ${toTimestamp(now)}
          where ${isClaim(former.environment_id, hostname)}`.execute(transaction);
      }
      const others = await this.#fetch(
        sql`
          select ${columns} from domains
          where hostname = ${hostname} and proved_at is not null and environment_id <> ${environment_id}`,
        transaction,
      );
      if (others.length > 0) return 'taken' as const;
      const [proved] = await this.#fetch(
        sql`
          update domains set proved_at = coalesce(proved_at, ${toTimestamp(now)}), checked_at = ${toTimestamp(now)}, problem = null
          where ${isClaim(environment_id, hostname)}
          returning ${columns}`,
        transaction,
      );
      return proved;
    });
  }

  /** Stores the result of a domain's check; the proof stays valid if the name servers did not answer. */
  async note(
    { environment_id, hostname }: Claim,
    problem: CheckProblem,
    now: Temporal.Instant,
    through: Kysely<unknown>,
  ): Promise<Domain | undefined> {
    const proof = problem === 'dns_unavailable' ? sql`proved_at` : sql`null`;
    const [noted] = await this.#fetch(
      sql`
        update domains set proved_at = ${proof}, problem = ${problem}, checked_at = ${toTimestamp(now)}
        where ${isClaim(environment_id, hostname)}
        returning ${columns}`,
      through,
    );
    return noted;
  }

  /** Claims to domains that are due for another check: at first every minute, then at growing intervals. */
  due(now: Temporal.Instant): Promise<Domain[]> {
    return this.#fetch(sql`
      select ${columns} from domains where ${isCheckedAt(sql`${toTimestamp(now)}::timestamptz`)}
      order by checked_at nulls first limit ${CHECKED_AT_ONCE}`);
  }

  /** Throws a 400 for a redirect to no other domain of the environment, or to or from one that redirects itself. */
  async #checkRedirect(
    { environmentId, hostname, redirectTo }: Redirect,
    transaction: Kysely<unknown>,
  ): Promise<void> {
    if (redirectTo === null) return;
    const domains = await this.#fetch(
      sql`select ${columns} from domains where environment_id = ${environmentId}`,
      transaction,
    );
    const target = domains.find((domain) => domain.hostname === redirectTo);
    if (!target || redirectTo === hostname) throw invalidField('redirect_to', messages.redirect.unknown);
    const isChain = target.redirect_to !== null || domains.some((domain) => domain.redirect_to === hostname);
    if (isChain) throw invalidField('redirect_to', messages.redirect.chain);
  }

  async #fetch(query: RawBuilder<unknown>, on = this.#db): Promise<Domain[]> {
    const { rows } = await (query as RawBuilder<Row>).execute(on);
    return rows.map(present);
  }
}

/** Redirect of a domain to another domain of the same environment; null: none. */
interface Redirect {
  environmentId: string;
  hostname: string;
  redirectTo: string | null;
}

/**
 * Lets changes of one environment's domains run one after the other, until the transaction ends. False if the
 * environment does not exist.
 */
async function lockDomains(environmentId: string, transaction: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`
    select from environments where environment_id = ${environmentId} for update`.execute(transaction);
  return rows.length > 0;
}

/** SQL condition: a claim to a domain (row of `domains`) is due for a check at `now`. */
function isCheckedAt(now: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`
    proved_at is null and created_at > ${now} - ${CHECKED_FOR}::interval
      and (checked_at is null
        or checked_at < ${now} - greatest(interval '45 seconds', (checked_at - created_at) / 4))`;
}

/** SQL condition for an environment's claim to a host name. */
function isClaim(environmentId: string, hostname: string): RawBuilder<unknown> {
  return sql`environment_id = ${environmentId} and hostname = ${hostname}`;
}

/** Creates the token of a claim to a domain: 130 random bits in base32, which fits into a DNS label. */
function newToken(): string {
  return randomText(26, 'abcdefghijklmnopqrstuvwxyz234567');
}

function present(row: Row): Domain {
  return {
    ...row,
    created_at: row.created_at?.toISOString() ?? '',
    proved_at: row.proved_at?.toISOString() ?? null,
    checked_at: row.checked_at?.toISOString() ?? null,
    certificate_asked_at: row.certificate_asked_at?.toISOString() ?? null,
  };
}
