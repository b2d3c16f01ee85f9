import type { Kysely } from 'kysely';
import type { Engine } from './engine.ts';

/**
 * Access to the database, the same for the embedded database and for PostgreSQL. The interface knows no table: each
 * area of the product writes its own SQL statements and declares the types of their rows.
 */
export interface Database {
  readonly kind: 'embedded' | 'postgres';
  readonly sql: Kysely<unknown>;
  /** The embedded database itself, for the job queue, which brings its own SQL. Available after `prepare`. */
  engine?(): Engine;
  /**
   * Connects to the database, migrates it, and runs `first` before any other query. If the database can't be reached
   * yet, it waits. Rejects with a ConfigError when waiting can't help.
   */
  prepare(first?: (sql: Kysely<unknown>) => Promise<void>): Promise<void>;
  /**
   * True once `prepare` has finished, so that all tables exist. The database may have become unreachable since then.
   */
  isPrepared(): boolean;
  /**
   * Resolves if `prepare` has to wait for free space on the disk, which is rare. Only an embedded database has this
   * promise.
   */
  waits?: Promise<void>;
  /**
   * Connections of this process to PostgreSQL: all, those that are idle, and callers that wait for one. The embedded
   * database has none.
   */
  connections?(): { total: number; idle: number; waiting: number };
  /** Resolves when the database has answered a trivial query. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * True if the database can't be reached, is shutting down, or has no connection left for us. The client gets a 503, and
 * another try may help.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // ENOENT of a socket file means that the database is not running. ENOENT of any other file says nothing about the
  // database.
  if (code === 'ENOENT') return syscall === 'connect';
  if (code && UNAVAILABLE_CODES.test(code)) return true;
  return UNAVAILABLE_MESSAGES.test(error.message);
}

// SQLSTATE codes and socket errors that mean that the database is unavailable. 08: connection; 57P: shutting down or
// starting; 53: no disk, memory or connection left; 57014: took too long; 58030 and 58P02: the file system fails or
// left half of a file (full disk, or no descriptors); 25006: read-only (a standby, or a disk that filled up); 25P03:
// idle too long; 40001 and 40P01: undone in favour of another transaction
// (https://www.postgresql.org/docs/15/errcodes-appendix.html).
const UNAVAILABLE_CODES =
  /^(08...|57P0[1-5]|53[0-3]00|57014|58030|58P02|25006|25P0[34]|40001|40P01|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

// Messages that mean that the database is unavailable; pg and pg-pool give these errors no code.
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/;
