import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isPassword } from '../rules/password.ts';

/** Name and password that a site asks its visitors for. */
export interface Login {
  username: string;
  passwordHash: string;
}

export type LoginVerdict = 'right' | 'wrong' | 'too_many';

/** Maximum number of passwords that are hashed at the same time, and that wait for that. */
const HASHED_AT_ONCE = 2;
const WAITING_AT_ONCE = 50;
/** Wrong passwords that one address may send in `WINDOW_MS`. */
const MOST_WRONG = 20;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;
const MOST_LOGINS = 10_000;

/**
 * Checks the passwords that visitors send with each request (RFC 7617). A right password is hashed once; afterwards it
 * is recognised by a fast keyed hash, whose key exists in this process only.
 */
export class LoginCheck {
  readonly #key = randomBytes(32);
  /** Keyed hashes of right credentials, by the stored hash of their password. */
  readonly #right = new Map<string, Buffer>();
  readonly #wrong = new Map<string, number>();
  #windowEnd = 0;
  #hashing = 0;
  readonly #waiting: (() => void)[] = [];

  /** Checks the header `Authorization` of a request from `address`. */
  async check(login: Login, header: string, address: string): Promise<LoginVerdict> {
    const seal = createHmac('sha256', this.#key).update(`${login.username}\n${header}`).digest();
    const right = this.#right.get(login.passwordHash);
    if (right && timingSafeEqual(right, seal)) return 'right';
    if (this.#wrongOf(address) >= MOST_WRONG || this.#waiting.length >= WAITING_AT_ONCE) return 'too_many';
    // Each try counts until it has turned out right, so that tries at the same time are limited too.
    this.#count(address, 1);
    const [username = '', password = ''] = credentialsIn(header);
    if (username === login.username && (await this.#isPassword(password, login.passwordHash))) {
      if (this.#right.size >= MOST_LOGINS) this.#right.clear();
      this.#right.set(login.passwordHash, seal);
      this.#count(address, -1);
      return 'right';
    }
    return 'wrong';
  }

  async #isPassword(password: string, hash: string): Promise<boolean> {
    if (this.#hashing >= HASHED_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#hashing += 1;
    try {
      return await isPassword(password, hash);
    } finally {
      this.#hashing -= 1;
      this.#waiting.shift()?.();
    }
  }

  #count(address: string, tries: 1 | -1): void {
    const count = this.#wrongOf(address) + tries;
    if (this.#wrong.has(address) || this.#wrong.size < MOST_ADDRESSES) this.#wrong.set(address, count);
  }

  #wrongOf(address: string): number {
    const now = performance.now();
    if (now > this.#windowEnd) {
      this.#wrong.clear();
      this.#windowEnd = now + WINDOW_MS;
    }
    return this.#wrong.get(address) ?? 0;
  }
}

function credentialsIn(header: string): [username: string, password: string] | [] {
  const [, encoded] = /^basic +([a-z0-9+/=_-]+)$/i.exec(header.trim()) ?? [];
  const [, username, password] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  return username === undefined || password === undefined ? [] : [username, password];
}
