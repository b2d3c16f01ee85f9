import type { Config } from '../../kernel/config.ts';
import type { Database } from '../../kernel/database/database.ts';
import { listenForNotifications } from '../../kernel/database/notifications.ts';
import type { Logger } from '../../kernel/log.ts';
import { LogReader } from './reader.ts';
import { LOG_CHANNEL, stateOf } from './store.ts';
import { LogWriter } from './writer.ts';

/**
 * Logs of deployments, runs and sites, by the id of the deployment, the run or the site's environment. They are in the
 * database, so every server shows the lines of all servers.
 */
export interface Logs {
  write: Omit<LogWriter, 'close'>;
  read: Omit<LogReader, 'close'>;
  /** Stored size of one log, in bytes. */
  bytesOf(logId: string): Promise<number>;
  /** Ends all streams of logs, and writes waiting lines unless the database is unavailable. */
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
  const writer = new LogWriter(database, log);
  const reader = new LogReader(database.sql, (handlers) =>
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
