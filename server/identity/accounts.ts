import type { Kysely } from 'kysely';
import { newId } from '../kernel/identifiers.ts';
import type { Language, Words } from '../kernel/languages.ts';
import type { Mail } from '../kernel/mail/mail.ts';
import { writeLetter } from '../kernel/mail/template.ts';
import { Refusal } from '../kernel/refusal.ts';
import { fullToken } from './access-tokens/new-token.ts';
import { type AccessTokenStore, FIRST_TOKEN_NAME } from './access-tokens/store.ts';
import { MOST_REGISTRATIONS } from './codes.ts';
import type { Origin } from './known-origins.ts';
import { codeLetters, identityMessages } from './messages.ts';
import type { CodeRecipient, Exhausted, Judged, OneTimeCodes } from './one-time-codes.ts';
import type { User, UserStore } from './store.ts';

export interface AccountParts {
  db: Kysely<unknown>;
  store: UserStore;
  tokens: AccessTokenStore;
  codes: OneTimeCodes;
  mail: Mail;
  /** True if a person with this mail address may sign up without an invitation. */
  isAdmitted(email: string): boolean;
  isInvited(email: string, invitation: string, now: Temporal.Instant): boolean;
  /**
   * Called when an account passes to the owner of its mail address. A stranger may have registered the account, so all
   * its secrets that the stranger knows must be made invalid.
   */
  onTakenOver(accountId: string, transaction: Kysely<unknown>): Promise<void>;
}

/** Request to mail a code to a person. The mail says when and from where the request came. */
export interface CodeMailRequest {
  at: Temporal.Instant;
  /** Network address of the client that requests the code. */
  from: string;
  origin: Origin;
  language: Language;
}

/** Mail address of a person who signs up, with the operator's invitation if they have one. */
export interface Newcomer {
  email: string;
  invitation: string | null;
}

/** Account for which a code is tried: by mail address, by `user_id`, or by the caller's API key. */
export interface Subject {
  email: string | undefined;
  accountId: string | undefined;
  userId: string | null;
}

export interface VerifyAttempt extends Subject {
  code: string;
  origin: Origin;
}

export interface SignInAttempt extends Newcomer {
  code: string;
  /** Random text (handle) that the client got when it requested the mailed code; undefined if the client has none. */
  handle: string | undefined;
  origin: Origin;
}

/**
 * Sign-up and sign-in; each function is one transaction, including its mail. A registration (its key, its code and all
 * that it creates) is an account of its own; of all registrations of an address one is verified, and the others end.
 */
export class Accounts {
  readonly #db: AccountParts['db'];
  readonly #store: AccountParts['store'];
  readonly #tokens: AccountParts['tokens'];
  readonly #codes: AccountParts['codes'];
  readonly #mail: AccountParts['mail'];
  readonly #isAdmitted: AccountParts['isAdmitted'];
  readonly #isInvited: AccountParts['isInvited'];
  readonly #onTakenOver: AccountParts['onTakenOver'];

  constructor(parts: AccountParts) {
    this.#db = parts.db;
    this.#store = parts.store;
    this.#tokens = parts.tokens;
    this.#codes = parts.codes;
    this.#mail = parts.mail;
    this.#isAdmitted = parts.isAdmitted;
    this.#isInvited = parts.isInvited;
    this.#onTakenOver = parts.onTakenOver;
  }

  /**
   * Registers an address and returns its first API key. A verified address is a 409; an unverified one gets another
   * registration beside those that wait.
   */
  async register(newcomer: Newcomer, asked: CodeMailRequest): Promise<{ user_id: string; api_key: string }> {
    const { email } = newcomer;
    const invited = this.#holdsInvitation(newcomer, asked.at);
    // Closed registration is refused before accounts are looked up, so that the refusal doesn't reveal which accounts
    // exist.
    if (!invited && !this.#isAdmitted(email)) throw registrationClosed();
    return this.#db.transaction().execute(async (transaction) => {
      await this.#codes.lock(transaction, email);
      const users = await this.#store.ofAddress(transaction, email);
      if (users.some(({ verified }) => verified)) {
        throw new Refusal(409, 'already_registered', identityMessages.registered);
      }
      await this.#admitMail(transaction, email, asked);
      const account = { userId: users[0]?.user_id ?? newId(), email, verified: false, invited };
      const user = await this.#store.add(transaction, account, asked.at);
      const key = await this.#tokens.add(transaction, user.account_id, fullToken(FIRST_TOKEN_NAME), asked.at);
      if (!key) throw new Error('a new account is not there');
      await this.#mailCode(transaction, holderOf(user), asked, key.hint);
      await this.#store.removeOldest(transaction, email, MOST_REGISTRATIONS);
      return { user_id: user.user_id, api_key: key.token };
    });
  }

  /**
   * Verifies the registration for which the code was mailed, and ends all others of its address. If others wait, the
   * code alone doesn't tell whose key the caller holds: the code is not used up, and the key is required.
   */
  verify({ code, email, accountId, userId, origin }: VerifyAttempt, now: Temporal.Instant): Promise<User> {
    return this.#settle(async (transaction) => {
      if (email !== undefined) await this.#codes.lock(transaction, email);
      // Anybody who registers an address gets its user_id, so a user_id alone identifies only the sole registration.
      const sole = userId ? await this.#store.soleWaiting(transaction, userId) : undefined;
      const whose = { email, accountId, handle: accountId ?? sole, network: origin.network };
      const judged = await this.#codes.take(transaction, { purpose: 'verify', code, ...whose }, now);
      if (judged.verdict !== 'right') return refusalOf(judged, now);
      const users = await this.#store.ofAddress(transaction, judged.email);
      const user = users.find(({ account_id: id, verified }) => id === judged.accountId && !verified);
      if (!user) return wrongCode();
      if (!user.invited && !this.#isAdmitted(judged.email)) return registrationClosed();
      const others = users.filter((one) => one !== user);
      if (others.length > 0 && accountId === undefined) {
        throw new Refusal(400, 'key_of_code', identityMessages.keyOfCode);
      }
      await this.#store.remove(transaction, others);
      await this.#store.markVerified(transaction, user.account_id);
      await this.#codes.noteOrigin(transaction, user, origin, now);
      return { ...user, verified: true };
    });
  }

  /**
   * Mails another code for a registration: for the registration of the API key, or without a key for the only
   * registration of the address. If the address has several registrations and no key was sent, or if it is already
   * verified, no code is mailed; the response is the same in all cases.
   */
  async resend(email: string, accountId: string | undefined, asked: CodeMailRequest): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await this.#codes.lock(transaction, email);
      await this.#admitMail(transaction, email, asked);
      const users = await this.#store.ofAddress(transaction, email);
      const user = accountId ? users.find(({ account_id: id }) => id === accountId) : users[0];
      if (!user || user.verified || (!accountId && users.length > 1)) return;
      const hint = await this.#tokens.firstHint(transaction, user.account_id);
      await this.#mailCode(transaction, holderOf(user), asked, hint);
      await this.#store.markAsked(transaction, user.account_id, asked.at);
    });
  }

  /** Mails a sign-in code to a mail address, whether or not an account has that address. */
  async askToSignIn(email: string, handle: string, asked: CodeMailRequest): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await this.#codes.lock(transaction, email);
      await this.#admitMail(transaction, email, asked);
      await this.#mailCode(transaction, { purpose: 'sign_in', email, handle }, asked);
    });
  }

  /**
   * Signs in the user of a mail address, and creates the user if there is none: the mailed code proves access to the
   * mailbox. Unverified registrations of the address end. If there is only one, everything that it created becomes the
   * user's, except its keys and secrets; if there are several, all that they created is lost. `enter` does further work
   * of the sign-in in the same transaction, such as starting a session; if it fails, the code is not used up.
   */
  signIn<T extends object>(
    attempt: SignInAttempt,
    now: Temporal.Instant,
    enter: (transaction: Kysely<unknown>, user: User) => Promise<T>,
  ): Promise<T> {
    const { email, code, handle, origin } = attempt;
    return this.#settle(async (transaction) => {
      const { network } = origin;
      const judged = await this.#codes.take(
        transaction,
        { purpose: 'sign_in', email, code, handle, network },
        now,
      );
      if (judged.verdict !== 'right') return refusalOf(judged, now);
      const user = await this.#userOf(transaction, judged.email, attempt, now);
      if (!user) return registrationClosed();
      await this.#codes.noteOrigin(transaction, user, origin, now);
      return enter(transaction, user);
    });
  }

  /**
   * The one user of a mail address, after a code proved access to its mailbox; undefined if the address may not sign
   * up.
   */
  async #userOf(
    transaction: Kysely<unknown>,
    email: string,
    newcomer: Newcomer,
    now: Temporal.Instant,
  ): Promise<User | undefined> {
    const users = await this.#store.ofAddress(transaction, email);
    const [first] = users;
    if (first?.verified) return first;
    const invited = this.#holdsInvitation(newcomer, now) || users.some((one) => one.invited);
    if (!invited && !this.#isAdmitted(email)) return undefined;
    if (first && users.length === 1) {
      await this.#takeOver(transaction, first);
      return { ...first, verified: true };
    }
    await this.#store.remove(transaction, users);
    const account = { userId: first?.user_id ?? newId(), email: newcomer.email, verified: true, invited };
    return this.#store.add(transaction, account, now);
  }

  /**
   * Passes an account to the owner of its mail address, and ends its API keys and codes: a stranger may have registered
   * it.
   */
  async #takeOver(transaction: Kysely<unknown>, { account_id: id }: User): Promise<void> {
    await this.#tokens.removeAll(transaction, id);
    await this.#codes.end(transaction, id);
    await this.#onTakenOver(id, transaction);
    await this.#store.markVerified(transaction, id);
  }

  #holdsInvitation({ email, invitation }: Newcomer, now: Temporal.Instant): boolean {
    return invitation !== null && this.#isInvited(email, invitation, now);
  }

  /**
   * Runs one transaction. If the work returns an error, its writes are kept, such as the count of a wrong code; if it
   * throws an error, they are undone.
   */
  async #settle<T extends object>(work: (transaction: Kysely<unknown>) => Promise<T | Refusal>): Promise<T> {
    const outcome = await this.#db.transaction().execute(work);
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }

  /**
   * A requested mail is counted whether or not it is sent, so that the response doesn't reveal which addresses are
   * known.
   */
  async #admitMail(
    transaction: Kysely<unknown>,
    email: string,
    { at, origin }: CodeMailRequest,
  ): Promise<void> {
    const until = await this.#codes.admitMail(transaction, email, origin, at);
    if (until) throw tooMany('too_many_codes', identityMessages.tooManyCodes, until, at);
  }

  async #mailCode(
    transaction: Kysely<unknown>,
    holder: CodeRecipient,
    { at, from, language }: CodeMailRequest,
    keyHint?: string,
  ): Promise<void> {
    const { email: to, purpose } = holder;
    const code = await this.#codes.issue(transaction, holder, at);
    const { subject, ...words } = codeLetters[language][purpose]({ at, from, keyHint });
    const letter = writeLetter({ language, ...words, code });
    const [user] = await this.#store.ofAddress(transaction, to);
    const origin = { urgency: 'service', sender: user && { id: user.user_id } } as const;
    await this.#mail.enqueue(transaction, { to, language, subject: subject(code), ...letter }, origin);
  }
}

function holderOf({ email, account_id: accountId }: User): CodeRecipient {
  return { purpose: 'verify', email, accountId };
}

function registrationClosed(): Refusal {
  return new Refusal(403, 'registration_closed', identityMessages.registrationClosed);
}

function wrongCode(): Refusal {
  return new Refusal(400, 'wrong_code', identityMessages.wrongCode);
}

const EXHAUSTED: Readonly<Record<Exhausted, Words>> = {
  handle: identityMessages.codeDead,
  network: identityMessages.tooManyTries,
  address: identityMessages.tooManyTriesForAddress,
};

function refusalOf(judged: Exclude<Judged, { verdict: 'right' }>, now: Temporal.Instant): Refusal {
  if (judged.verdict === 'wrong') return wrongCode();
  return tooMany('too_many_tries', EXHAUSTED[judged.of], judged.until, now);
}

export function tooMany(code: string, words: Words, until: Temporal.Instant, now: Temporal.Instant): Refusal {
  const seconds = Math.max(1, Math.ceil(until.since(now).total('seconds')));
  return new Refusal(429, code, words, { headers: { 'retry-after': String(seconds) } });
}
