import { type Kysely, sql } from 'kysely';
import { pageOfRows } from '../../kernel/database/pages.ts';
import type { ApplicationChange } from './contract.ts';

interface Row extends Omit<ApplicationChange, 'id' | 'at' | 'by'> {
  id: string | number;
  at: Date;
  actor_kind: ApplicationChange['by']['kind'];
  actor_email: string | null;
  actor_token: string | null;
  address: string | null;
}

const columns = sql`
  id, at, operation, preview, actor_kind, actor_email, actor_token, address, subject, changes`;

/** A page of an application's history, newest first, and the number of its lines. */
export async function readHistory(
  db: Kysely<unknown>,
  applicationId: string,
  page: { limit: number; offset: bigint },
): Promise<{ history: ApplicationChange[]; total: number }> {
  const from = sql`application_history where application_uuid = ${applicationId}`;
  const { rows, total } = await pageOfRows<Row>(db, { columns, from, order: sql`id desc` }, page);
  return { history: rows.map(present), total };
}

function present({ id, at, actor_kind, actor_email, actor_token, address, ...line }: Row): ApplicationChange {
  return {
    id: String(id),
    ...line,
    at: at.toISOString(),
    by: { kind: actor_kind, email: actor_email, token: actor_token, address },
  };
}
