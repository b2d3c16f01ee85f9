import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { FieldProblem, invalidField } from '../../kernel/fields.ts';
import type { RuleChanges, RuleScope } from './fields.ts';
import { messages } from './messages.ts';

/** Rules of an application's sites: what visitors meet before the site itself. */
export interface Rules {
  application_uuid: string;
  redirects: string;
  headers: string;
  maintenance: RuleScope;
  protection: RuleScope;
  username: string | null;
  password_hash: string | null;
  /** Number that grows with each change. */
  version: number;
  changed_at: Date | null;
}

const NONE: Omit<Rules, 'application_uuid'> = {
  redirects: '',
  headers: '',
  maintenance: 'off',
  protection: 'off',
  username: null,
  password_hash: null,
  version: 0,
  changed_at: null,
};

/** Reads the rules of applications that have any. */
export async function readRules(db: Kysely<unknown>, applicationIds: readonly string[]): Promise<Rules[]> {
  const { rows } = await sql<Rules>`
    select application_uuid, redirects, headers, maintenance, protection, username, password_hash,
      version, changed_at
    from site_rules where application_uuid = any(${applicationIds}::uuid[])`.execute(db);
  return rows;
}

export async function rulesOf(db: Kysely<unknown>, applicationId: string): Promise<Rules> {
  const [rules] = await readRules(db, [applicationId]);
  return rules ?? { application_uuid: applicationId, ...NONE };
}

/**
 * Changes an application's rules, and returns those before and after. `hash` is of the new password. Throws a 400 for
 * protection without a name and a password.
 */
export async function changeRules(
  through: Kysely<unknown>,
  applicationId: string,
  changes: Omit<RuleChanges, 'password'>,
  hash: string | null | undefined,
  now: Temporal.Instant,
): Promise<{ before: Rules; after: Rules }> {
  return inTransaction(through, async (transaction) => {
    await sql`select from applications where application_uuid = ${applicationId} for no key update`.execute(
      transaction,
    );
    const before = await rulesOf(transaction, applicationId);
    const { redirects, headers, maintenance, protection, username, password_hash } = {
      ...before,
      ...changes,
      ...(hash !== undefined && { password_hash: hash }),
    };
    if (protection !== 'off') {
      if (username === null) throw invalidField('username', messages.loginMissing);
      if (password_hash === null) throw new FieldProblem('password', { kind: 'missing' });
    }
    await sql`
      insert into site_rules (application_uuid, redirects, headers, maintenance, protection, username,
        password_hash, version, changed_at)
      values (${applicationId}, ${redirects}, ${headers}, ${maintenance}, ${protection}, ${username},
        ${password_hash}, 1, ${toTimestamp(now)})
      on conflict (application_uuid) do update set redirects = excluded.redirects, headers = excluded.headers,
        maintenance = excluded.maintenance, protection = excluded.protection, username = excluded.username,
        password_hash = excluded.password_hash, version = site_rules.version + 1,
        changed_at = excluded.changed_at`.execute(transaction);
    return { before, after: await rulesOf(transaction, applicationId) };
  });
}
