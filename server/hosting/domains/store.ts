import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { insertInto } from '../../kernel/database/rows.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
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
}

/** What a proof is about. */
export type Claim = Pick<Domain, 'environment_id' | 'hostname' | 'token'>;

type TimeField = 'created_at' | 'proved_at' | 'checked_at';
type Row = Omit<Domain, TimeField> & Record<TimeField, Date | null>;

export const MOST_DOMAINS = 20;
/** After a week without its record a domain is checked only when somebody asks. */
const CHECKED_FOR = '7 days';
const CHECKED_AT_ONCE = 100;

const columns = sql`environment_id, hostname, token, created_at, proved_at, checked_at, problem`;

export type DomainStore = ReturnType<typeof createDomainStore>;

export function createDomainStore(db: Kysely<unknown>) {
  const fetch = async (query: RawBuilder<unknown>, on = db): Promise<Domain[]> => {
    const { rows } = await (query as RawBuilder<Row>).execute(on);
    return rows.map(present);
  };
  const one = (environmentId: string, hostname: string) =>
    sql`environment_id = ${environmentId} and hostname = ${hostname}`;

  return {
    /** A claim to a name as it would be, or as it is where the environment has it already. */
    async claim(environmentId: string, hostname: string): Promise<Claim> {
      const [known] = await fetch(sql`select ${columns} from domains where ${one(environmentId, hostname)}`);
      return known ?? { environment_id: environmentId, hostname, token: newToken() };
    },

    /** Writes a claim down, unless the environment has one to the name; undefined when it is gone. Throws a 409 when it has too many. */
    add(
      { environment_id: environmentId, hostname, token }: Claim,
      now: Temporal.Instant,
      through: Kysely<unknown>,
    ): Promise<Domain | undefined> {
      return inTransaction(through, async (transaction) => {
        // Claims of one environment wait for each other, so that their number is right.
        const { rows: environments } = await sql`
          select from environments where environment_id = ${environmentId} for update`.execute(transaction);
        if (environments.length === 0) return undefined;
        const [known] = await fetch(
          sql`select ${columns} from domains where ${one(environmentId, hostname)}`,
          transaction,
        );
        if (known) return known;
        const { rows } = await sql<{ count: number }>`
          select count(*)::integer as count from domains where environment_id = ${environmentId}`.execute(
          transaction,
        );
        if ((rows[0]?.count ?? 0) >= MOST_DOMAINS) {
          throw new Refusal(409, 'too_many_domains', messages.tooMany(MOST_DOMAINS));
        }
        const [added] = await fetch(
          sql`
          ${insertInto('domains', { environment_id: environmentId, hostname, token, created_at: now })}
          returning ${columns}`,
          transaction,
        );
        if (!added) throw new Error('insert returned no row');
        return added;
      });
    },

    list: (environmentId: string): Promise<Domain[]> =>
      fetch(sql`select ${columns} from domains where environment_id = ${environmentId} order by hostname`),

    async find(environmentId: string, hostname: string): Promise<Domain | undefined> {
      return (await fetch(sql`select ${columns} from domains where ${one(environmentId, hostname)}`))[0];
    },

    /** Whoever has proved the name. */
    async holder(hostname: string): Promise<Domain | undefined> {
      return (
        await fetch(
          sql`select ${columns} from domains where hostname = ${hostname} and proved_at is not null`,
        )
      )[0];
    },

    /** False when there is no such domain. */
    async remove(environmentId: string, hostname: string): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        delete from domains where ${one(environmentId, hostname)}`.execute(db);
      return numAffectedRows > 0n;
    },

    /**
     * Notes a proof, and takes the name from `former`, whose record is gone. `taken` when somebody else has proved it
     * in the meantime, undefined when the claim is gone.
     */
    async prove(
      { environment_id, hostname }: Claim,
      now: Temporal.Instant,
      former: Claim | undefined,
      through: Kysely<unknown>,
    ): Promise<Domain | 'taken' | undefined> {
      return inTransaction(through, async (transaction) => {
        // Who proves a name waits for who else does, so that it is known before anything is written.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${hostname}`}, 0))`.execute(
          transaction,
        );
        if (former) {
          await sql`
            update domains set proved_at = null, problem = 'record_missing', checked_at = ${toTimestamp(now)}
            where ${one(former.environment_id, hostname)}`.execute(transaction);
        }
        const others = await fetch(
          sql`
          select ${columns} from domains
          where hostname = ${hostname} and proved_at is not null and environment_id <> ${environment_id}`,
          transaction,
        );
        if (others.length > 0) return 'taken' as const;
        const [proved] = await fetch(
          sql`
          update domains set proved_at = coalesce(proved_at, ${toTimestamp(now)}), checked_at = ${toTimestamp(now)}, problem = null
          where ${one(environment_id, hostname)}
          returning ${columns}`,
          transaction,
        );
        return proved;
      });
    },

    /** Notes what a check found; the proof stays where the name servers gave no answer. */
    async note(
      { environment_id, hostname }: Claim,
      problem: CheckProblem,
      now: Temporal.Instant,
      through: Kysely<unknown>,
    ): Promise<Domain | undefined> {
      const proof = problem === 'dns_unavailable' ? sql`proved_at` : sql`null`;
      const [noted] = await fetch(
        sql`
        update domains set proved_at = ${proof}, problem = ${problem}, checked_at = ${toTimestamp(now)}
        where ${one(environment_id, hostname)}
        returning ${columns}`,
        through,
      );
      return noted;
    },

    /** Claims worth another look: at first every minute, then ever more seldom. */
    due: (now: Temporal.Instant): Promise<Domain[]> =>
      fetch(sql`
        select ${columns} from domains
        where proved_at is null and created_at > ${toTimestamp(now)}::timestamptz - ${CHECKED_FOR}::interval
          and (checked_at is null
            or checked_at < ${toTimestamp(now)}::timestamptz - greatest(interval '45 seconds', (checked_at - created_at) / 4))
        order by checked_at nulls first limit ${CHECKED_AT_ONCE}`),
  };
}

/** 130 random bits in base32, which fits into a label of the DNS. */
function newToken(): string {
  return randomText(26, 'abcdefghijklmnopqrstuvwxyz234567');
}

function present(row: Row): Domain {
  return {
    ...row,
    created_at: row.created_at?.toISOString() ?? '',
    proved_at: row.proved_at?.toISOString() ?? null,
    checked_at: row.checked_at?.toISOString() ?? null,
  };
}
