import type { Kysely } from 'kysely';
import { inTransaction } from '../kernel/database/transaction.ts';
import { newId } from '../kernel/identifiers.ts';
import type { Language, Words } from '../kernel/languages.ts';
import type { Mail } from '../kernel/mail/mail.ts';
import { writeLetter } from '../kernel/mail/template.ts';
import { Refusal } from '../kernel/refusal.ts';
import { MOST_REGISTRATIONS, type Purpose } from './codes.ts';
import { codeLetters, messages } from './messages.ts';
import type { CodeHolder, CodeTry, OneTimeCodes } from './one-time-codes.ts';
import { type ApiKey, FIRST_KEY_NAME, type User, type UserStore } from './store.ts';

export interface AccountParts {
  db: Kysely<unknown>;
  store: UserStore;
  codes: OneTimeCodes;
  mail: Mail;
  /** Whether somebody of this address may become a user without an invitation. */
  admits(email: string): boolean;
  isInvited(email: string, invitation: string, now: Temporal.Instant): boolean;
  /** What somebody who may not have been the address's owner knew of the account is to be worth nothing from now on. */
  onTakenOver(accountId: string, transaction: Kysely<unknown>): Promise<void>;
}

/** By whom and when a code was asked for: its mail says so. */
export interface Asked {
  at: Temporal.Instant;
  /** The client's address. */
  from: string;
  language: Language;
}

/** An address that wants in, with what its invitation says, where it has one. */
export interface Newcomer {
  email: string;
  invitation: string | null;
}

type Attempt = Omit<CodeTry, 'purpose'>;

export type Accounts = ReturnType<typeof createAccounts>;

/**
 * How somebody becomes a user and proves to be one; each is one transaction, its mail included. A registration (its key,
 * its code and what it makes) is an account of its own; of all those of an address one is verified, and the others end.
 */
export function createAccounts(parts: AccountParts) {
  const { db, store, codes, mail, admits, isInvited, onTakenOver } = parts;
  return {
    /** A verified address is a 409; one that is not gets another registration beside those that wait. */
    async register(newcomer: Newcomer, asked: Asked): Promise<{ user_id: string; api_key: string }> {
      const { email } = newcomer;
      const invited = holdsInvitation(newcomer, asked.at);
      // Before any look at who is known: a refusal says nothing of that.
      if (!invited && !admits(email)) throw registrationClosed();
      return db.transaction().execute(async (transaction) => {
        await codes.lock(transaction, email);
        const known = await store.ofAddress(transaction, email);
        if (known.some(({ verified }) => verified)) {
          throw new Refusal(409, 'already_registered', messages.registered);
        }
        const account = { userId: known[0]?.user_id ?? newId(), email, verified: false, invited };
        const user = await store.add(transaction, account, asked.at);
        const key = await store.addKey(transaction, user.account_id, FIRST_KEY_NAME, asked.at);
        if (!key) throw new Error('a new account is not there');
        const holder = holderOf(user);
        if (!(await mailCode(transaction, holder, asked, key.hint))) throw tooMany(messages.tooManyCodes);
        await store.removeOldest(transaction, email, MOST_REGISTRATIONS);
        return { user_id: user.user_id, api_key: key.api_key };
      });
    },

    /** Verifies the registration that the code was mailed for, and ends all others of its address. */
    verify(attempt: Attempt, now: Temporal.Instant): Promise<User> {
      return accept(attempt, 'verify', now, async (transaction, email, accountId) => {
        const known = await store.ofAddress(transaction, email);
        const user = known.find(({ account_id: id, verified }) => id === accountId && !verified);
        if (!user) return 'wrong';
        if (!user.invited && !admits(email)) return 'closed';
        const others = known.filter((one) => one !== user);
        await store.remove(transaction, others);
        const contested = others.length > 0 && attempt.accountId === undefined;
        await store.markVerified(transaction, user.account_id, { contested });
        return { ...user, verified: true };
      });
    },

    /** Another key for an account; undefined when it has ended. */
    addKey(
      through: Kysely<unknown>,
      accountId: string,
      name: string,
      now: Temporal.Instant,
    ): Promise<(ApiKey & { api_key: string }) | undefined> {
      return inTransaction(through, (transaction) => store.addKey(transaction, accountId, name, now));
    },

    /**
     * Mails another code for a registration: the one of the key, else the only one of the address. Of several, nobody can
     * say whose code who did not show a key would get, so that none is mailed; nor is one to who is verified. Nobody learns which.
     */
    async resend({ email, accountId }: Pick<Attempt, 'email' | 'accountId'>, asked: Asked): Promise<void> {
      if (email === undefined) return;
      await db.transaction().execute(async (transaction) => {
        await codes.lock(transaction, email);
        const known = await store.ofAddress(transaction, email);
        const user = accountId ? known.find(({ account_id: id }) => id === accountId) : known[0];
        if (!user || user.verified || (!accountId && known.length > 1)) return;
        const hint = await store.firstHint(transaction, user.account_id);
        if (await mailCode(transaction, holderOf(user), asked, hint)) {
          await store.markAsked(transaction, user.account_id, asked.at);
        }
      });
    },

    /** Mails a sign-in code, to an address we know and to one we don't alike. */
    async askToSignIn(email: string, asked: Asked): Promise<void> {
      await db
        .transaction()
        .execute((transaction) => mailCode(transaction, { purpose: 'sign_in', email }, asked));
    },

    /**
     * The user of the address, made where there is none: whoever has the code reads the mailbox. Registrations that still
     * wait end. What a single one made becomes the user's, without its keys and secrets; of several it goes. What `enter`
     * does for them is part of the same: a code that is used up has let its owner in.
     */
    signIn<T extends object>(
      attempt: Attempt & Newcomer,
      now: Temporal.Instant,
      enter: (transaction: Kysely<unknown>, user: User) => Promise<T>,
    ): Promise<T> {
      return accept(attempt, 'sign_in', now, async (transaction, email) => {
        const user = await userOf(transaction, email, attempt, now);
        return user ? enter(transaction, user) : 'closed';
      });
    },
  };

  /** The one user of an address whose mailbox somebody reads; undefined where it may not become one. */
  async function userOf(
    transaction: Kysely<unknown>,
    email: string,
    newcomer: Newcomer,
    now: Temporal.Instant,
  ): Promise<User | undefined> {
    const known = await store.ofAddress(transaction, email);
    const [first] = known;
    if (first?.verified) {
      if (first.contested) await takeOver(transaction, first);
      return first;
    }
    const invited = holdsInvitation(newcomer, now) || known.some((one) => one.invited);
    if (!invited && !admits(email)) return undefined;
    if (first && known.length === 1) {
      await takeOver(transaction, first);
      return { ...first, verified: true };
    }
    await store.remove(transaction, known);
    const account = { userId: first?.user_id ?? newId(), email: newcomer.email, verified: true, invited };
    return store.add(transaction, account, now);
  }

  /** Makes an account that of whoever reads the mailbox: whoever had a key to it may have been somebody else. */
  async function takeOver(transaction: Kysely<unknown>, { account_id: id }: User): Promise<void> {
    await store.removeAllKeys(transaction, id);
    await codes.end(transaction, id);
    await onTakenOver(id, transaction);
    await store.markVerified(transaction, id, { contested: false });
  }

  function holdsInvitation({ email, invitation }: Newcomer, now: Temporal.Instant): boolean {
    return invitation !== null && isInvited(email, invitation, now);
  }

  /** The try is written down whatever it comes to, so that the refusal is thrown after the commit. */
  async function accept<T extends object>(
    attempt: Attempt,
    purpose: Purpose,
    now: Temporal.Instant,
    accepted: (
      transaction: Kysely<unknown>,
      email: string,
      accountId: string | undefined,
    ) => Promise<T | 'wrong' | 'closed'>,
  ): Promise<T> {
    const outcome = await db.transaction().execute(async (transaction) => {
      const { verdict, email, accountId } = await codes.take(transaction, { ...attempt, purpose }, now);
      if (verdict !== 'right') return verdict;
      return email ? accepted(transaction, email, accountId) : 'wrong';
    });
    if (outcome === 'too_many') throw tooMany(messages.tooManyTries);
    if (outcome === 'wrong') throw new Refusal(400, 'wrong_code', messages.wrongCode);
    if (outcome === 'closed') throw registrationClosed();
    return outcome;
  }

  /** False when the address has had too many. */
  async function mailCode(
    transaction: Kysely<unknown>,
    holder: CodeHolder,
    { at, from, language }: Asked,
    keyHint?: string,
  ): Promise<boolean> {
    const { email: to, purpose } = holder;
    await codes.lock(transaction, to);
    const code = await codes.issue(transaction, holder, at);
    if (!code) return false;
    const { subject, ...words } = codeLetters[language][purpose]({ at, from, keyHint });
    const letter = writeLetter({ language, ...words, code });
    await mail.enqueue(transaction, { to, language, subject: subject(code), ...letter });
    return true;
  }
}

function holderOf({ email, account_id: accountId }: User): CodeHolder {
  return { purpose: 'verify', email, accountId };
}

function registrationClosed(): Refusal {
  return new Refusal(403, 'registration_closed', messages.registrationClosed);
}

function tooMany(words: Words): Refusal {
  return new Refusal(429, 'too_many_tries', words, { headers: { 'retry-after': '900' } });
}
