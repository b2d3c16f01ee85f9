import { type Kysely, sql } from 'kysely';
import { toParameter } from '../kernel/database/transaction.ts';
import type { Encryption } from '../kernel/encryption.ts';
import { LONG_WINDOW, WINDOW } from './codes.ts';

/** Period in which each kind of try, mail or request is counted. It begins with the first try or mail. */
const WINDOWS = {
  'tries of network': WINDOW,
  'tries for address': LONG_WINDOW,
  'mails by origin': WINDOW,
  'mails to address': WINDOW,
  'device logins of network': WINDOW,
  'device tries of network': WINDOW,
  'device tries of user': WINDOW,
} as const;

export type CountKind = keyof typeof WINDOWS;

export interface Counted {
  count: number;
  /** End of the period in which these tries or mails are counted. */
  until: Temporal.Instant;
}

export type Counts = ReturnType<typeof createCounts>;

/**
 * Counts of wrong codes and of mails with codes, in the database, so that all servers that share it agree. The address
 * or network that is counted is stored as a keyed hash.
 */
export function createCounts(encryption: Encryption) {
  const subjectOf = (kind: CountKind, whom: string) => encryption.fingerprint(whom, `count:${kind}`);

  return {
    /** Counts one more try or mail; returns how many there were in the present period. */
    async add(db: Kysely<unknown>, kind: CountKind, whom: string, now: Temporal.Instant): Promise<Counted> {
      const at = toParameter(now);
      const ends = toParameter(now.add(WINDOWS[kind]));
      const { rows } = await sql<{ count: number; ends_at: Date }>`
        insert into code_counts (subject, ends_at, count) values (${subjectOf(kind, whom)}, ${ends}, 1)
        on conflict (subject) do update set
          count = case when code_counts.ends_at <= ${at} then 1 else code_counts.count + 1 end,
          ends_at = case when code_counts.ends_at <= ${at} then excluded.ends_at else code_counts.ends_at end
        returning count, ends_at`.execute(db);
      if (!rows[0]) throw new Error('insert returned no row');
      return { count: rows[0].count, until: rows[0].ends_at.toTemporalInstant() };
    },

    /** Subtracts one try or mail that was counted before. */
    async takeBack(db: Kysely<unknown>, kind: CountKind, whom: string): Promise<void> {
      await sql`
        update code_counts set count = count - 1 where subject = ${subjectOf(kind, whom)} and count > 0`.execute(
        db,
      );
    },

    async reset(db: Kysely<unknown>, kind: CountKind, whom: string): Promise<void> {
      await sql`delete from code_counts where subject = ${subjectOf(kind, whom)}`.execute(db);
    },

    /** Deletes counts of tries and mails whose period has ended. */
    async forget(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
      await sql`delete from code_counts where ends_at <= ${toParameter(now)}`.execute(db);
    },
  };
}
