import type { Kysely } from 'kysely';
import type { Engine } from './engine.ts';

/**
 * The one door to the data, the same for the embedded database and for PostgreSQL.
 * It knows no table: what a row of a statement has, the area that wrote the statement says.
 */
export interface Database {
  readonly kind: 'embedded' | 'postgres';
  readonly sql: Kysely<unknown>;
  /** The embedded database itself, for a part that brings SQL of its own (the job queue); once prepared. */
  engine?(): Engine;
  /**
   * Connects, migrates, and does `first` before anybody else asks the database; waits for a server that is not there yet.
   * Rejects with a ConfigError when waiting can't help.
   */
  prepare(first?: (sql: Kysely<unknown>) => Promise<void>): Promise<void>;
  /** True once `prepare` is through: the tables are there (the server itself may be away again). */
  isPrepared(): boolean;
  /** Resolves when `prepare` begins to wait where it mostly does not: an embedded database for room on its disk. */
  waits?: Promise<void>;
  /** Resolves when a query has come back. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The server can't be reached, is going down, or has no place for us now: worth a 503 and another try. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // A socket's file; of any other file it says nothing of the database.
  if (code === 'ENOENT') return syscall === 'connect';
  if (code && UNAVAILABLE_CODES.test(code)) return true;
  return UNAVAILABLE_MESSAGES.test(error.message);
}

// Class 08 connection, 57P shutting down or starting, 53 no disk, memory or connection left, 57014 took too long,
// 58030 and 58P02 a file system that fails or left half of a file (of a full disk, or without descriptors), 25006 read-only (a standby, or a disk that filled up), 25P03 idle too long, 40001 and 40P01 undone for another one's sake (https://www.postgresql.org/docs/15/errcodes-appendix.html), and the socket's own codes.
const UNAVAILABLE_CODES =
  /^(08...|57P0[1-5]|53[0-3]00|57014|58030|58P02|25006|25P0[34]|40001|40P01|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

// pg and pg-pool give these no code.
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/;
