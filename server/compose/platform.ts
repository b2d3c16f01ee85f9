import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Encryption } from '../kernel/encryption.ts';
import type { Server } from '../kernel/http/server.ts';
import type { Jobs } from '../kernel/jobs.ts';
import type { Logger } from '../kernel/log.ts';
import type { Mail } from '../kernel/mail/mail.ts';

/** What both sides of the product are composed on. An area itself is given what it uses, never all of this. */
export interface Platform {
  config: Config;
  log: Logger;
  clock: Clock;
  /** Signs organizers' tokens and guests' links. */
  secret: string;
  encryption: Encryption;
  database: Database;
  jobs: Jobs;
  mail: Mail;
  server: Server;
}
