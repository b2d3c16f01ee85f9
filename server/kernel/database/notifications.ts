import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import type { Database } from './database.ts';

export interface NotificationHandlers {
  onMessage: (payload: string) => void;
  /** Listening again after a break: what was said meanwhile is lost. */
  onGap: () => void;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

/**
 * Hears what any server says on `channel` with NOTIFY, from its commit on; gives what ends it. A PostgreSQL has one
 * connection of its own for it, opened anew when it breaks; the embedded database tells its one process.
 */
export async function listen(
  channel: string,
  { onMessage, onGap }: NotificationHandlers,
  { database, config, log }: { database: Database; config: Pick<Config, 'databaseUrl'>; log: Logger },
): Promise<() => Promise<void>> {
  if (database.engine) return database.engine().listen(channel, onMessage);
  const closing = new AbortController();
  let client = await connect();
  const listening = keepListening();
  return async () => {
    closing.abort();
    await client.end().catch(() => {});
    await listening;
  };

  async function connect(): Promise<pg.Client> {
    const one = new pg.Client({
      connectionString: config.databaseUrl,
      application_name: 'simcha live',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    one.on('error', () => {});
    one.on('notification', ({ payload = '' }) => onMessage(payload));
    await one.connect();
    await one.query(`listen ${pg.escapeIdentifier(channel)}`);
    return one;
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      const current = client;
      await new Promise((resolve) => current.once('end', resolve));
      if (closing.signal.aborted) return;
      log.warn(`the connection that listens for ${channel} was lost`);
      for (let wait = FIRST_RETRY_MS; !closing.signal.aborted; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
        try {
          client = await connect();
          onGap();
          break;
        } catch {
          await sleep(wait, undefined, { signal: closing.signal }).catch(() => {});
        }
      }
    }
    if (closing.signal.aborted) await client.end().catch(() => {});
  }
}
