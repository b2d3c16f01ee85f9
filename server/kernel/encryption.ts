import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type Config, ConfigError } from './config.ts';
import { inTransaction } from './database/transaction.ts';
import type { Logger } from './log.ts';
import { storedSecret } from './secret.ts';

/**
 * Encryption of secrets that must be read again (AES-256-GCM), and keyed fingerprints of secrets that must only be
 * recognised.
 */
export interface Encryption {
  /** Encrypts a secret. `context` says what the secret is and whose: it can be opened only with the same context. */
  seal(plain: string, context: string): string;
  /**
   * Decrypts a secret. Throws if the text was changed, or was encrypted with another context or with an unknown key.
   */
  open(sealed: string, context: string): string;
  /**
   * Fingerprint of a text (HMAC-SHA-256). Without the key nobody can guess the text from it, however short the text is.
   */
  fingerprint(text: string, context: string): Buffer;
}

/** Encryption with the keys that the operator set in ENCRYPTION_KEY. */
export interface OperatorKeys extends Encryption {
  canOpen(sealed: string): boolean;
  /** True if the text was encrypted with the first of the operator's keys, which is the newest. */
  isNewest(sealed: string): boolean;
}

/** Encryption of secrets in the database, with a key that only this database uses. */
export interface DatabaseEncryption extends Encryption {
  /**
   * Loads the database's encryption key; must finish before the first `seal` or `open`. Throws a ConfigError if
   * ENCRYPTION_KEY is not the database's.
   */
  unlock(db: Kysely<unknown>): Promise<void>;
  /** Replaces the database's encryption key. Secrets that were encrypted with the previous key are lost. */
  replaceKey(db: Kysely<unknown>): Promise<void>;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encryption with several keys. The first one of `secrets` encrypts, all of them decrypt, so an operator replaces a key
 * by adding a new one at the front. Encrypted text is `v1.<key id>.<nonce, tag and ciphertext in base64url>`.
 */
export function createEncryption(secrets: readonly string[]): OperatorKeys {
  const keys = secrets.map((secret) => ({
    id: derive(secret, 'key id', 6).toString('base64url'),
    sealing: derive(secret, 'seal', 32),
    fingerprinting: derive(secret, 'fingerprint', 32),
  }));
  const [current] = keys;
  if (!current) throw new Error('no encryption key');
  const keyOf = (sealed: string) => {
    const [version, id] = sealed.split('.');
    return version === VERSION ? keys.find((key) => key.id === id) : undefined;
  };

  return {
    canOpen: (sealed) => keyOf(sealed) !== undefined,
    isNewest: (sealed) => keyOf(sealed) === current,

    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.sealing, nonce);
      cipher.setAAD(Buffer.from(`${VERSION}:${context}`));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
      return `${VERSION}.${current.id}.${sealed}`;
    },

    open(sealed, context) {
      const key = keyOf(sealed);
      if (!key) throw new Error('this was sealed with another key');
      const [, , text = '', ...more] = sealed.split('.');
      const bytes = Buffer.from(text, 'base64url');
      // The base64url decoder ignores some characters. A text with such characters is refused too, because somebody has
      // changed it.
      if (more.length > 0 || bytes.toString('base64url') !== text) throw new Error('this was not sealed');
      const decipher = createDecipheriv('aes-256-gcm', key.sealing, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(`${VERSION}:${context}`));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },

    fingerprint: (text, context) =>
      createHmac('sha256', current.fingerprinting).update(`${context}\0${text}`).digest(),
  };
}

/** Opens encryption with the keys in ENCRYPTION_KEY or, if there are none, with the key in the data folder. */
export async function openEncryption({
  encryptionKeys,
  dataDir,
}: Pick<Config, 'encryptionKeys' | 'dataDir'>): Promise<OperatorKeys> {
  return createEncryption(
    encryptionKeys.length > 0 ? encryptionKeys : [await storedSecret(dataDir, 'encryption-key')],
  );
}

const DATABASE_KEY = 'database key';

/**
 * Encryption with a key that the database stores, itself encrypted with the operator's ENCRYPTION_KEY. So a server with
 * another ENCRYPTION_KEY can't start on the database. To replace ENCRYPTION_KEY, one row is encrypted anew, while
 * servers with the old key go on running.
 */
export function createDatabaseEncryption(keys: OperatorKeys, log: Pick<Logger, 'info'>): DatabaseEncryption {
  let unlocked: Encryption | undefined;
  const inner = () => {
    if (!unlocked) throw new Error('the database is not prepared');
    return unlocked;
  };
  return {
    seal: (plain, context) => inner().seal(plain, context),
    open: (sealed, context) => inner().open(sealed, context),
    fingerprint: (text, context) => inner().fingerprint(text, context),
    async unlock(db) {
      const stored = (await readStoredKey(db)) ?? (await makeKey(db, keys));
      if (!keys.canOpen(stored)) throw anotherKey();
      const key = openStoredKey(keys, stored);
      if (!keys.isNewest(stored)) {
        // Several servers may encrypt the database's key again at once: all of them write the same key.
        await sql`update database_key set sealed = ${keys.seal(key, DATABASE_KEY)}`.execute(db);
        log.info('ENCRYPTION_KEY was replaced: the previous one is no longer needed');
      }
      unlocked = createEncryption([key]);
    },
    async replaceKey(db) {
      const key = newKey();
      await sql`delete from database_key`.execute(db);
      await sql`insert into database_key (sealed) values (${keys.seal(key, DATABASE_KEY)})`.execute(db);
      unlocked = createEncryption([key]);
    },
  };
}

/** Creates the database's encryption key unless another server has just done so; returns the stored key. */
function makeKey(db: Kysely<unknown>, keys: OperatorKeys): Promise<string> {
  return inTransaction(db, async (transaction) => {
    const { rows: made } = await sql`
      insert into database_key (sealed) values (${keys.seal(newKey(), DATABASE_KEY)})
      on conflict do nothing returning sealed`.execute(transaction);
    if (made.length > 0 && (await hasSecrets(transaction))) throw noKey();
    return (await readStoredKey(transaction)) ?? '';
  });
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}

/** True if the database has encrypted secrets: values in columns whose names end in `_sealed`. */
async function hasSecrets(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and column_name like '%\\_sealed'`.execute(db);
  for (const { table, column } of rows) {
    const found = await sql`
      select from ${sql.table(table)} where ${sql.ref(column)} is not null limit 1`.execute(db);
    if (found.rows.length > 0) return true;
  }
  return false;
}

async function readStoredKey(db: Kysely<unknown>): Promise<string | undefined> {
  const { rows } = await sql<{ sealed: string }>`select sealed from database_key`.execute(db);
  return rows[0]?.sealed;
}

function openStoredKey(keys: OperatorKeys, stored: string): string {
  try {
    return keys.open(stored, DATABASE_KEY);
  } catch (error) {
    throw new ConfigError(`The key of this database (in its table database_key) is damaged; ${RESTORE}`, {
      cause: error,
    });
  }
}

const RESTORE = 'restore the database from a backup, or delete its secrets: npm run forget-secrets.';

function noKey(): ConfigError {
  return new ConfigError(`The key of this database (in its table database_key) is gone; ${RESTORE}`);
}

function anotherKey(): ConfigError {
  return new ConfigError(
    'The secrets in this database are encrypted with another ENCRYPTION_KEY. Set the one that its servers use, or restore the file encryption-key of their DATA_DIR; to replace a key, set both, the new one first. If it is lost for good: npm run forget-secrets.',
  );
}

function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'simcha', purpose, bytes));
}
