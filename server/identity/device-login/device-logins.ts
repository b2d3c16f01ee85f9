import type { Kysely } from 'kysely';
import type { Words } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { longestEnd } from '../access-tokens/new-token.ts';
import type { AccessToken, AccessTokenStore } from '../access-tokens/store.ts';
import { tooMany } from '../accounts.ts';
import type { CountKind, Counts } from '../counts.ts';
import { deviceMessages } from './messages.ts';
import type { DeviceLoginStore, NewDevice, Poll, WaitingDevice } from './store.ts';

/**
 * Maximum numbers within a quarter of an hour: devices that ask to be signed in from one network, and wrong codes from
 * one network and of one user.
 */
const MOST = { requests: 60, tries: 20 };

export interface DeviceLoginParts {
  db: Kysely<unknown>;
  store: DeviceLoginStore;
  tokens: Pick<AccessTokenStore, 'add'>;
  counts: Counts;
}

/** User who types a code, and the network of their browser. */
export interface Confirmer {
  accountId: string;
  network: string;
}

/** Signs in devices without a browser, such as a command line, by a code that a signed-in user confirms (RFC 8628). */
export class DeviceLogins {
  readonly #db: Kysely<unknown>;
  readonly #store: DeviceLoginStore;
  readonly #tokens: Pick<AccessTokenStore, 'add'>;
  readonly #counts: Counts;

  constructor({ db, store, tokens, counts }: DeviceLoginParts) {
    this.#db = db;
    this.#store = store;
    this.#tokens = tokens;
    this.#counts = counts;
  }

  async start(device: NewDevice, now: Temporal.Instant): Promise<{ device_code: string; user_code: string }> {
    const counted = await this.#counts.add(this.#db, 'device logins of network', device.network, now);
    if (counted.count > MOST.requests) {
      throw tooMany('too_many_codes', deviceMessages.tooManyRequests, counted.until, now);
    }
    return this.#store.add(this.#db, device, now);
  }

  /** Returns the access token of a confirmed device, once. Throws a 400 that says whether to go on polling. */
  async poll(
    deviceCode: string,
    now: Temporal.Instant,
  ): Promise<{ accountId: string; token: AccessToken & { token: string } }> {
    // The refusal is thrown after the commit, because what a poll changes must be stored.
    const outcome = await this.#db.transaction().execute(async (transaction) => {
      const poll = await this.#store.poll(transaction, deviceCode, now);
      if (poll.state !== 'allowed') return refusalOf(poll.state);
      const { accountId, client: name, scopes } = poll;
      const wished = { name, scopes, application_id: null, event_id: null, expires_at: longestEnd(now) };
      const token = await this.#tokens.add(transaction, accountId, wished, now);
      return token ? { accountId, token } : refusalOf('expired');
    });
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }

  /** Device that shows a code. */
  find(userCode: string, by: Confirmer, now: Temporal.Instant): Promise<WaitingDevice> {
    return this.#guarded(by, now, (transaction) => this.#store.find(transaction, userCode, now));
  }

  async decide(userCode: string, allow: boolean, by: Confirmer, now: Temporal.Instant): Promise<void> {
    const decision = { accountId: by.accountId, allow };
    await this.#guarded(
      by,
      now,
      async (transaction) => (await this.#store.decide(transaction, userCode, decision, now)) || undefined,
    );
  }

  /** Runs a lookup by a typed code. Wrong codes count against the user and against the network. */
  async #guarded<T>(
    { accountId, network }: Confirmer,
    now: Temporal.Instant,
    look: (transaction: Kysely<unknown>) => Promise<T | undefined>,
  ): Promise<T> {
    const counted: readonly [CountKind, string][] = [
      ['device tries of network', network],
      ['device tries of user', accountId],
    ];
    const outcome = await this.#db.transaction().execute(async (transaction) => {
      // A try is counted before the code is looked up, so that parallel tries can't exceed the limit.
      for (const [kind, whom] of counted) {
        const { count, until } = await this.#counts.add(transaction, kind, whom, now);
        if (count > MOST.tries) return tooMany('too_many_tries', deviceMessages.tooManyTries, until, now);
      }
      const found = await look(transaction);
      if (found === undefined) return new Refusal(400, 'wrong_code', deviceMessages.noSuchCode);
      for (const [kind, whom] of counted) await this.#counts.takeBack(transaction, kind, whom);
      return { found };
    });
    if (outcome instanceof Refusal) throw outcome;
    return outcome.found;
  }
}

const REFUSALS: Readonly<Record<Exclude<Poll['state'], 'allowed'>, readonly [code: string, words: Words]>> = {
  pending: ['authorization_pending', deviceMessages.pending],
  too_early: ['slow_down', deviceMessages.slowDown],
  expired: ['expired_token', deviceMessages.expired],
  refused: ['access_denied', deviceMessages.denied],
};

function refusalOf(state: Exclude<Poll['state'], 'allowed'>): Refusal {
  const [code, words] = REFUSALS[state];
  return new Refusal(400, code, words);
}
