import { createHash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 bytes take 43 digits of base 62. */
const DIGITS = 43;
const FORM = /^sk_[0-9A-Za-z]{43}$/;

/** `sk_` and 32 random bytes in base 62. */
export function newApiKey(): string {
  let number = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let digits = '';
  for (let i = 0; i < DIGITS; i += 1) {
    digits = BASE62[Number(number % 62n)] + digits;
    number /= 62n;
  }
  return `sk_${digits}`;
}

/** What is stored of a key, and found by: of 256 random bits a plain hash gives nothing away. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function looksLikeApiKey(text: string): boolean {
  return FORM.test(text);
}

/** The beginning of a key, for its owner to tell keys apart by. */
export function hintOf(key: string): string {
  return key.slice(0, 7);
}
