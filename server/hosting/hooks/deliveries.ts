import { type Kysely, sql } from 'kysely';
import { assignColumns } from '../../kernel/database/rows.ts';
import type { Ignored } from './delivery.ts';

/**
 * Results of a delivery. `checking`: the changed files are being compared with the application's watch paths. `removed`:
 * a preview ended.
 */
export const DELIVERY_STATUSES = ['deploying', 'removed', 'ignored', 'checking'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Delivery that a push hook received, with what followed from it. */
export interface DeliveryRow {
  delivery_id: string;
  taken_at: Date;
  status: DeliveryStatus;
  reason: Ignored | null;
  /** Branch concerned; null for deliveries that are about none. */
  branch: string | null;
  /** Name of the preview concerned; null for production. */
  preview: string | null;
  deployment_uuid: string | null;
  /** Newest commit of the branch and the last deployed one, if they were compared. */
  commit_hash: string | null;
  base_hash: string | null;
  /** Number of paths that changed between the two. */
  changed: number | null;
}

/** Number of deliveries that the list has. */
const LISTED = 50;

const columns = sql`
  delivery_id, taken_at, status, reason, branch, preview, deployment_uuid, commit_hash, base_hash, changed`;

/** Log of deliveries to push hooks. */
export class HookDeliveries {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /** Stores what follows from a delivery. */
  async note(
    transaction: Kysely<unknown>,
    deliveryId: string,
    result: Partial<Omit<DeliveryRow, 'delivery_id' | 'taken_at'>> & { environment_id?: string },
  ): Promise<void> {
    await sql`
      update hook_deliveries set ${assignColumns(result)} where delivery_id = ${deliveryId}`.execute(
      transaction,
    );
  }

  async find(deliveryId: string): Promise<DeliveryRow | undefined> {
    const { rows } = await sql<DeliveryRow>`
      select ${columns} from hook_deliveries where delivery_id = ${deliveryId}`.execute(this.#db);
    return rows[0];
  }

  /** Newest deliveries of an application. */
  async list(applicationId: string): Promise<DeliveryRow[]> {
    const { rows } = await sql<DeliveryRow>`
      select ${columns} from hook_deliveries where application_uuid = ${applicationId}
      order by taken_at desc, delivery_id desc limit ${LISTED}`.execute(this.#db);
    return rows;
  }
}
