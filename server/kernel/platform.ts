import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { Encryption, OperatorKeys } from './encryption.ts';
import type { Server } from './http/app.ts';
import type { Jobs } from './jobs.ts';
import type { Logger } from './log.ts';
import type { Mail } from './mail/mail.ts';
import type { Texts } from './texts/texts.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { TransactOnce } from './writes/idempotency.ts';

/**
 * Services of the kernel (log, clock, database and so on) on which both sides of the product, planning and hosting, are
 * composed. An area of the product receives only the services that it uses, never the whole.
 */
export interface Platform {
  config: Config;
  log: Logger;
  clock: Clock;
  /** Secret key that signs organizers' tokens and guests' links. */
  secret: string;
  /** Encryption of secrets that are stored outside the database. */
  keys: OperatorKeys;
  encryption: Encryption;
  database: Database;
  jobs: Jobs;
  mail: Mail;
  texts: Texts;
  server: Server;
  tracing: Tracing;
  transactOnce: TransactOnce;
}
