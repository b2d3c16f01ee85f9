import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import type { Scope } from '../access-tokens/scopes.ts';
import { newCode, typedCode } from '../codes.ts';
import { newToken } from '../sessions/secrets.ts';

export const LIFETIME_SECONDS = 600;
export const INTERVAL_SECONDS = 5;
/** Seconds that are added to a device's polling interval each time that it polls too early (RFC 8628, section 3.5). */
const SLOWER_BY_SECONDS = 5;

/** Device that asks to be signed in. */
export interface NewDevice {
  client: string;
  scopes: readonly Scope[];
  /** Network address of the device, and the network that it belongs to. */
  address: string;
  network: string;
}

/** Device that waits for a user's decision. */
export interface WaitingDevice {
  client: string;
  scopes: Scope[];
  address: string;
  network: string;
  requested_at: string;
  expires_at: string;
}

/** Answer to a device's poll; `allowed` is given only once. */
export type Poll =
  | { state: 'pending' | 'too_early' | 'expired' | 'refused' }
  | { state: 'allowed'; client: string; scopes: Scope[]; accountId: string };

interface PolledRow {
  client: string;
  scopes: Scope[];
  account_id: string | null;
  refused: boolean;
  is_expired: boolean;
  is_early: boolean;
}
type WaitingRow = Omit<WaitingDevice, 'requested_at' | 'expires_at'> & {
  requested_at: Date;
  expires_at: Date;
};

/** Sign-ins of devices, in the database, so that all servers that share it agree. */
export class DeviceLoginStore {
  readonly #encryption: Encryption;

  constructor(encryption: Encryption) {
    this.#encryption = encryption;
  }

  /** Stores a device that asks to be signed in, and returns its two codes, of which only hashes are stored. */
  async add(
    db: Kysely<unknown>,
    { client, scopes, address, network }: NewDevice,
    now: Temporal.Instant,
  ): Promise<{ device_code: string; user_code: string }> {
    const deviceCode = newToken();
    for (;;) {
      const userCode = newCode();
      const { numAffectedRows = 0n } = await sql`
        insert into device_logins
          (device_hash, user_hash, client, scopes, address, network, requested_at, expires_at, interval_seconds)
        values (${hashOf(deviceCode)}, ${this.#userHash(userCode)}, ${client}, ${scopes}::text[], ${address}, ${network},
          ${toParameter(now)}, ${toParameter(now.add({ seconds: LIFETIME_SECONDS }))}, ${INTERVAL_SECONDS})
        on conflict (user_hash) do nothing`.execute(db);
      if (numAffectedRows > 0n) return { device_code: deviceCode, user_code: userCode };
    }
  }

  /** Answers a device's poll, and deletes its sign-in once a decision was delivered. */
  async poll(transaction: Kysely<unknown>, deviceCode: string, now: Temporal.Instant): Promise<Poll> {
    const hash = hashOf(deviceCode);
    const at = toParameter(now);
    const { rows } = await sql<PolledRow>`
      select client, scopes, account_id, refused, expires_at <= ${at} as is_expired,
        coalesce(polled_at + make_interval(secs => interval_seconds) > ${at}::timestamptz, false) as is_early
      from device_logins where device_hash = ${hash} for update`.execute(transaction);
    const [row] = rows;
    if (!row || row.is_expired) return { state: 'expired' };
    const { client, scopes, account_id: accountId } = row;
    if (accountId === null && !row.refused) {
      await sql`
        update device_logins set polled_at = ${at},
          interval_seconds = interval_seconds + ${row.is_early ? SLOWER_BY_SECONDS : 0}
        where device_hash = ${hash}`.execute(transaction);
      return { state: row.is_early ? 'too_early' : 'pending' };
    }
    await sql`delete from device_logins where device_hash = ${hash}`.execute(transaction);
    return accountId === null ? { state: 'refused' } : { state: 'allowed', client, scopes, accountId };
  }

  /** Finds the device that shows a code and waits for a decision. */
  async find(
    db: Kysely<unknown>,
    userCode: string,
    now: Temporal.Instant,
  ): Promise<WaitingDevice | undefined> {
    const { rows } = await sql<WaitingRow>`
      select client, scopes, address, network, requested_at, expires_at from device_logins
      where ${this.#isWaiting(userCode, now)}`.execute(db);
    return (
      rows[0] && {
        ...rows[0],
        requested_at: rows[0].requested_at.toISOString(),
        expires_at: rows[0].expires_at.toISOString(),
      }
    );
  }

  /** Stores a user's decision; false if no device waits with this code. A decision can't be changed. */
  async decide(
    transaction: Kysely<unknown>,
    userCode: string,
    { accountId, allow }: { accountId: string; allow: boolean },
    now: Temporal.Instant,
  ): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update device_logins set account_id = ${allow ? accountId : null}::uuid, refused = ${!allow}
      where ${this.#isWaiting(userCode, now)}`.execute(transaction);
    return numAffectedRows > 0n;
  }

  /** Deletes expired sign-ins of devices. */
  async forget(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
    await sql`delete from device_logins where expires_at <= ${toParameter(now)}`.execute(db);
  }

  #isWaiting(userCode: string, now: Temporal.Instant) {
    return sql`user_hash = ${this.#userHash(typedCode(userCode))} and expires_at > ${toParameter(now)}
      and account_id is null and not refused`;
  }

  #userHash(userCode: string): Buffer {
    return this.#encryption.fingerprint(userCode, 'code:device');
  }
}

/** Hash of a device's secret code: with 256 random bits, a plain hash reveals nothing. */
function hashOf(deviceCode: string): Buffer {
  return createHash('sha256').update(deviceCode).digest();
}
