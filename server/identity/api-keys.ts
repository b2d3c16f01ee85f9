import { createHash } from 'node:crypto';
import { randomText } from '../kernel/random.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** As many as 256 bits take. */
const DIGITS = 43;
const FORM = /^sk_[0-9A-Za-z]{43}$/;

/** `sk_` and 43 random digits of base 62. */
export function newApiKey(): string {
  return `sk_${randomText(DIGITS, BASE62)}`;
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
