import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Cost of a hash: some 30 ms and 16 MiB. It is low, because gateways make hashes at visitors' requests. */
const COST: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };

/** Hash of a site's password, with its salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt);
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split('.').map((part) => Buffer.from(part, 'base64url'));
  const derived = await derive(password, Buffer.from(salt));
  return derived.length === hash.length && timingSafeEqual(derived, Buffer.from(hash));
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
