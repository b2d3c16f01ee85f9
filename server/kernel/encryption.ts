import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from './config.ts';
import { keptSecret } from './secret.ts';

/** Seals secrets that must be read again (AES-256-GCM), and keyed fingerprints of those that must only be recognised. */
export interface Encryption {
  /** `context` says what the secret is and whose: sealed for one place, it opens in no other. */
  seal(plain: string, context: string): string;
  /** Throws when the text was changed, is of another context, or of a key that ENCRYPTION_KEY no longer names. */
  open(sealed: string, context: string): string;
  /** HMAC-SHA-256: worthless without the key, however short what it was made of. */
  fingerprint(text: string, context: string): Buffer;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * `secrets`: the first one seals, all of them open, so that a key is replaced by putting a new one in front.
 * Sealed text is `v1.<key id>.<nonce, tag and ciphertext in base64url>`.
 */
export function createEncryption(secrets: readonly string[]): Encryption {
  const keys = secrets.map((secret) => ({
    id: derive(secret, 'key id', 6).toString('base64url'),
    sealing: derive(secret, 'seal', 32),
    fingerprinting: derive(secret, 'fingerprint', 32),
  }));
  const [current] = keys;
  if (!current) throw new Error('no encryption key');

  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.sealing, nonce);
      cipher.setAAD(Buffer.from(`${VERSION}:${context}`));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
      return `${VERSION}.${current.id}.${sealed}`;
    },

    open(sealed, context) {
      const [version, id, text = '', ...more] = sealed.split('.');
      const key = keys.find((one) => one.id === id);
      if (version !== VERSION || !key) {
        throw new Error('this was sealed with a key that ENCRYPTION_KEY does not name');
      }
      const bytes = Buffer.from(text, 'base64url');
      // What the decoder passes over, too, is a change.
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

/** By the keys that are set, else by the one kept in the data folder. */
export async function openEncryption({
  encryptionKeys,
  dataDir,
}: Pick<Config, 'encryptionKeys' | 'dataDir'>): Promise<Encryption> {
  return createEncryption(
    encryptionKeys.length > 0 ? encryptionKeys : [await keptSecret(dataDir, 'encryption-key')],
  );
}

function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'simcha', purpose, bytes));
}
