import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { Encryption, OperatorKeys } from './encryption.ts';
import type { Server } from './http/app.ts';
import type { Jobs } from './jobs.ts';
import type { Logger } from './log.ts';
import type { Mail } from './mail/mail.ts';
import type { Texts } from './texts/texts.ts';
import type { TransactOnce } from './writes/idempotency.ts';

/** What both sides of the product are composed on. An area itself is given what it uses, never all of this. */
export interface Platform {
  config: Config;
  log: Logger;
  clock: Clock;
  /** Signs organizers' tokens and guests' links. */
  secret: string;
  /** What is sealed elsewhere than in the database. */
  keys: OperatorKeys;
  encryption: Encryption;
  database: Database;
  jobs: Jobs;
  mail: Mail;
  texts: Texts;
  server: Server;
  transactOnce: TransactOnce;
}
