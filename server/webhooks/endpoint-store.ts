import { type Kysely, sql } from 'kysely';
import { assignColumns } from '../kernel/database/rows.ts';
import { inTransaction, toParameter } from '../kernel/database/transaction.ts';
import type { Encryption } from '../kernel/encryption.ts';
import { onlyNamed } from '../kernel/http/named.ts';
import { isUuid, newId } from '../kernel/identifiers.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Webhook } from './contract.ts';
import type { EndpointChanges, NewEndpoint } from './fields.ts';
import { failWaiting, type StoredEndpoint } from './lanes.ts';
import { webhookMessages } from './messages.ts';
import { newWebhookSecret } from './signature.ts';

export type EndpointWithSecret = Webhook & { secret: string };

export const MOST_ENDPOINTS = 20;
/** Time for which messages are also signed with the secret that a rotation replaced. */
const PREVIOUS_VALID_FOR = { hours: 24 };

type Times = 'created_at' | 'failing_since' | 'previous_secret_until';
type EndpointRow = Omit<Webhook, Times> & {
  created_at: Date;
  failing_since: Date | null;
  previous_secret_until: Date | null;
};

const columns = sql`id, url, description, kinds, application_id, event_id, enabled, disabled_reason, failing_since,
  previous_until as previous_secret_until, created_at`;

/** Users' endpoints. A function that receives a transaction works in that transaction. */
export class EndpointStore {
  readonly #db: Kysely<unknown>;
  readonly #encryption: Encryption;

  constructor(db: Kysely<unknown>, encryption: Encryption) {
    this.#db = db;
    this.#encryption = encryption;
  }

  /** Creates an endpoint and returns its secret, which is stored encrypted. Undefined if the account has ended. */
  async add(
    transaction: Kysely<unknown>,
    accountId: string,
    { url, kinds, description, enabled, application_id, event_id }: NewEndpoint,
    now: Temporal.Instant,
  ): Promise<EndpointWithSecret | undefined> {
    // The account's row is locked before its endpoints are counted, so that the limit also holds for parallel requests.
    const { rows: accounts } = await sql`
      select 1 from users where account_id = ${accountId} for no key update`.execute(transaction);
    if (accounts.length === 0) return undefined;
    const counted = await sql<{ count: number }>`
      select count(*)::integer as count from webhook_endpoints where account_id = ${accountId}`.execute(
      transaction,
    );
    if ((counted.rows[0]?.count ?? 0) >= MOST_ENDPOINTS) {
      throw new Refusal(409, 'too_many_webhooks', webhookMessages.tooMany(MOST_ENDPOINTS));
    }
    const id = newId();
    const secret = newWebhookSecret();
    const { rows } = await sql<EndpointRow>`
      insert into webhook_endpoints
        (id, account_id, url, kinds, description, enabled, application_id, event_id, secret_sealed, created_at)
      values (${id}, ${accountId}, ${url}, ${kinds}::text[], ${description}, ${enabled}, ${application_id}::uuid,
        ${event_id}::uuid, ${this.#encryption.seal(secret, secretContext(id))}, ${toParameter(now)})
      returning ${columns}`.execute(transaction);
    return { ...present(rows[0]), secret };
  }

  /** Endpoints of an account, the oldest first. */
  async list(accountId: string): Promise<Webhook[]> {
    const { rows } = await sql<EndpointRow>`
      select ${columns} from webhook_endpoints where account_id = ${accountId} order by id`.execute(this.#db);
    return rows.map(present);
  }

  async find(accountId: string, id: string): Promise<Webhook | undefined> {
    const { rows } = await sql<EndpointRow>`
      select ${columns} from webhook_endpoints where id = ${id} and account_id = ${accountId}`.execute(
      this.#db,
    );
    return rows[0] && present(rows[0]);
  }

  /** Finds an endpoint by its id, its address, or the host of its address. Throws a 404 if several have the host. */
  async findNamed(accountId: string, named: string): Promise<Webhook | undefined> {
    if (isUuid(named)) return this.find(accountId, named);
    const all = await this.list(accountId);
    const byAddress = all.filter(({ url }) => url === named);
    const byHost = all.filter(({ url }) => new URL(url).host === named.toLowerCase());
    return onlyNamed(byAddress.length > 0 ? byAddress : byHost, ({ id }) => id);
  }

  async findStored(id: string): Promise<StoredEndpoint | undefined> {
    const { rows } = await sql<StoredEndpoint>`
      select id, account_id, url, secret_sealed, previous_secret_sealed, previous_until
      from webhook_endpoints where id = ${id}`.execute(this.#db);
    return rows[0];
  }

  /**
   * Changes an endpoint. Messages that wait are tried at once, since the change may be what they waited for; they are
   * given up if the endpoint is off.
   */
  change(
    id: string,
    changes: EndpointChanges,
    now: Temporal.Instant,
    through = this.#db,
  ): Promise<Webhook | undefined> {
    return inTransaction(through, async (transaction) => {
      const reset = changes.enabled === undefined ? {} : { disabled_reason: null, failing_since: null };
      const { rows } = await sql<EndpointRow>`
        update webhook_endpoints set ${assignColumns({ id, ...changes, ...reset })} where id = ${id}
        returning ${columns}`.execute(transaction);
      if (!rows[0]) return undefined;
      if (!rows[0].enabled) await failWaiting(transaction, id);
      await wakeLanes(transaction, id, now);
      return present(rows[0]);
    });
  }

  /** Replaces an endpoint's secret. For a day messages are signed with the former one too. */
  async rotate(
    through: Kysely<unknown>,
    id: string,
    now: Temporal.Instant,
  ): Promise<EndpointWithSecret | undefined> {
    const secret = newWebhookSecret();
    const { rows } = await sql<EndpointRow>`
      update webhook_endpoints set secret_sealed = ${this.#encryption.seal(secret, secretContext(id))},
        previous_secret_sealed = secret_sealed, previous_until = ${toParameter(now.add(PREVIOUS_VALID_FOR))}
      where id = ${id} returning ${columns}`.execute(through);
    return rows[0] && { ...present(rows[0]), secret };
  }

  /** Deletes an endpoint with its deliveries, and returns it; undefined if the account has no such endpoint. */
  async remove(transaction: Kysely<unknown>, accountId: string, id: string): Promise<Webhook | undefined> {
    const { rows } = await sql<EndpointRow>`
      delete from webhook_endpoints where id = ${id} and account_id = ${accountId}
      returning ${columns}`.execute(transaction);
    return rows[0] && present(rows[0]);
  }

  /** Secrets with which messages to an endpoint are signed: the present one, and for a day the one before it. */
  secretsOf(endpoint: StoredEndpoint, now: Temporal.Instant): string[] {
    const { id, secret_sealed, previous_secret_sealed, previous_until } = endpoint;
    const isValid = previous_until !== null && previous_until.getTime() > now.epochMilliseconds;
    const sealed =
      isValid && previous_secret_sealed ? [secret_sealed, previous_secret_sealed] : [secret_sealed];
    return sealed.map((one) => this.#encryption.open(one, secretContext(id)));
  }
}

/** Deletes all endpoints of an account that passes to somebody else. */
export async function removeEndpoints(transaction: Kysely<unknown>, accountId: string): Promise<void> {
  await sql`delete from webhook_endpoints where account_id = ${accountId}`.execute(transaction);
}

/** Gives every endpoint a new secret after the key of the old ones was lost, and turns it off. */
export async function replaceLostSecrets(
  transaction: Kysely<unknown>,
  encryption: Encryption,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from webhook_endpoints`.execute(transaction);
  for (const { id } of rows) {
    await sql`
      update webhook_endpoints set enabled = false, previous_secret_sealed = null, previous_until = null,
        secret_sealed = ${encryption.seal(newWebhookSecret(), secretContext(id))}
      where id = ${id}`.execute(transaction);
  }
}

async function wakeLanes(transaction: Kysely<unknown>, id: string, now: Temporal.Instant): Promise<void> {
  await sql`
    update webhook_lanes set version = version + 1, due_at = least(due_at, ${toParameter(now)}::timestamptz)
    where endpoint_id = ${id}`.execute(transaction);
}

function secretContext(id: string): string {
  return `webhook:${id}`;
}

function present(row: EndpointRow | undefined): Webhook {
  if (!row) throw new Error('insert returned no row');
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_until: row.previous_secret_until?.toISOString() ?? null,
  };
}
