import type { Config } from '../../kernel/config.ts';
import type { Database } from '../../kernel/database/database.ts';
import { listenForNotifications } from '../../kernel/database/notifications.ts';
import type { Logger } from '../../kernel/log.ts';
import { createLogReader, type LogReader } from './reader.ts';
import { LOG_CHANNEL, stateOf } from './store.ts';
import { createLogWriter, type LogWriter } from './writer.ts';

/**
 * Logs of deployments and of what sites write, by the id of the deployment or of the site's environment. They are in
 * the database: every server shows what any server writes.
 */
export interface Logs {
  write: Omit<LogWriter, 'close'>;
  read: Omit<LogReader, 'close'>;
  /** How much of a log is kept, in bytes. */
  bytesOf(logId: string): Promise<number>;
  /** Tells those who follow nothing more, and writes what waits, unless the database is away. */
  close(): Promise<void>;
}

export function createLogs({
  database,
  config,
  log,
}: {
  database: Database;
  config: Pick<Config, 'databaseUrl'>;
  log: Logger;
}): Logs {
  const writer = createLogWriter(database, log);
  const reader = createLogReader(database.sql, (handlers) =>
    listenForNotifications(LOG_CHANNEL, handlers, { database, config, log }),
  );
  return {
    write: writer,
    read: reader,
    bytesOf: async (logId) => (await stateOf(database.sql, logId)).bytes,
    async close() {
      await reader.close();
      await writer.close();
    },
  };
}
