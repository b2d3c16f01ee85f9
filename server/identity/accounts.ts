import type { Kysely } from 'kysely';
import type { Language, Words } from '../kernel/languages.ts';
import type { Mail } from '../kernel/mail/mail.ts';
import { writeLetter } from '../kernel/mail/template.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Purpose } from './codes.ts';
import { codeLetters, messages } from './messages.ts';
import type { CodeTry, OneTimeCodes } from './one-time-codes.ts';
import { type ApiKey, FIRST_KEY_NAME, type User, type UserStore } from './store.ts';

export interface AccountParts {
  db: Kysely<unknown>;
  store: UserStore;
  codes: OneTimeCodes;
  mail: Mail;
  /** What somebody who may not have been the address's owner knew of the user is to be worth nothing from now on. */
  onTakenOver(userId: string, transaction: Kysely<unknown>): Promise<void>;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** How somebody becomes a user and proves to be one. Each is one transaction, its mail included. */
export function createAccounts({ db, store, codes, mail, onTakenOver }: AccountParts) {
  return {
    /** A verified address is a 409; one that is not gets another key and another code, and the earlier ones end. */
    register(
      email: string,
      language: Language,
      now: Temporal.Instant,
    ): Promise<{ user_id: string; api_key: string }> {
      return db.transaction().execute(async (transaction) => {
        await codes.lock(transaction, email);
        const user = await store.claim(transaction, email, now);
        if (user.verified) throw new Refusal(409, 'already_registered', messages.registered);
        if (!(await mailCode(transaction, user.email, 'verify', language, now)))
          throw tooMany(messages.tooManyCodes);
        await takeOver(transaction, user.user_id);
        const { api_key } = await store.addKey(transaction, user.user_id, FIRST_KEY_NAME, now);
        return { user_id: user.user_id, api_key };
      });
    },

    async verify(attempt: Omit<CodeTry, 'purpose'>, now: Temporal.Instant): Promise<User> {
      return accept(attempt, 'verify', now, async (transaction, email) => {
        const user = await store.findByEmail(email, transaction);
        if (!user) return undefined;
        await store.markVerified(transaction, user.user_id);
        return { ...user, verified: true };
      });
    },

    /** Another key for a user. */
    addKey(userId: string, name: string, now: Temporal.Instant): Promise<ApiKey & { api_key: string }> {
      return db.transaction().execute((transaction) => store.addKey(transaction, userId, name, now));
    },

    /** Mails another verification code to a user who is not verified; to anybody else nothing, and nobody learns which. */
    async resend(email: string, language: Language, now: Temporal.Instant): Promise<void> {
      const user = await store.findByEmail(email);
      if (!user || user.verified) return;
      await db
        .transaction()
        .execute((transaction) => mailCode(transaction, user.email, 'verify', language, now));
    },

    /** Mails a sign-in code, to an address we know and to one we don't alike. */
    async askToSignIn(email: string, language: Language, now: Temporal.Instant): Promise<void> {
      await db.transaction().execute((transaction) => mailCode(transaction, email, 'sign_in', language, now));
    },

    /** The user of the address, made where there is none: whoever has the code reads the mailbox. */
    signIn(attempt: Omit<CodeTry, 'purpose'>, now: Temporal.Instant): Promise<User> {
      return accept(attempt, 'sign_in', now, async (transaction, email) => {
        const user = await store.claim(transaction, attempt.email ?? email, now);
        if (user.verified) return user;
        await takeOver(transaction, user.user_id);
        await store.markVerified(transaction, user.user_id);
        return { ...user, verified: true };
      });
    },
  };

  /** Whoever registered an address before its owner came must not keep a key to what becomes theirs. */
  async function takeOver(transaction: Kysely<unknown>, userId: string): Promise<void> {
    await store.removeAllKeys(transaction, userId);
    await onTakenOver(userId, transaction);
  }

  /** The try is written down whatever it comes to, so that the refusal is thrown after the commit. */
  async function accept(
    attempt: Omit<CodeTry, 'purpose'>,
    purpose: Purpose,
    now: Temporal.Instant,
    accepted: (transaction: Kysely<unknown>, email: string) => Promise<User | undefined>,
  ): Promise<User> {
    const outcome = await db.transaction().execute(async (transaction) => {
      const { verdict, email } = await codes.take(transaction, { ...attempt, purpose }, now);
      if (verdict !== 'right') return verdict;
      return (email && (await accepted(transaction, email))) || 'wrong';
    });
    if (outcome === 'too_many') throw tooMany(messages.tooManyTries);
    if (outcome === 'wrong') throw new Refusal(400, 'wrong_code', messages.wrongCode);
    return outcome;
  }

  /** False when the address has had too many. */
  async function mailCode(
    transaction: Kysely<unknown>,
    to: string,
    purpose: Purpose,
    language: Language,
    now: Temporal.Instant,
  ): Promise<boolean> {
    await codes.lock(transaction, to);
    const code = await codes.issue(transaction, to, purpose, now);
    if (!code) return false;
    const { subject, ...words } = codeLetters[language][purpose];
    const letter = writeLetter({ language, ...words, code });
    await mail.enqueue(transaction, { to, language, subject: subject(code), ...letter });
    return true;
  }
}

function tooMany(words: Words): Refusal {
  return new Refusal(429, 'too_many_tries', words, { headers: { 'retry-after': '900' } });
}
