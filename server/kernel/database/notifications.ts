import pg from 'pg';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import type { Database } from './database.ts';
import { waitForDatabase } from './wait-for-database.ts';

export interface NotificationHandlers {
  onMessage: (payload: string) => void;
  /**
   * Called when listening for notifications works again after a break: notifications that were sent in between are
   * lost.
   */
  onGap: () => void;
}

/**
 * Receives the notifications that any server sends on `channel` with NOTIFY, after its commit; the result stops it.
 * PostgreSQL gets a connection of its own for this, which is opened again when it breaks; the embedded database
 * notifies its only process.
 */
export async function listenForNotifications(
  channel: string,
  { onMessage, onGap }: NotificationHandlers,
  { database, config, log }: { database: Database; config: Pick<Config, 'databaseUrl'>; log: Logger },
): Promise<() => Promise<void>> {
  if (database.engine) return database.engine().listen(channel, onMessage, onGap);
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
    try {
      await one.connect();
      // This LISTEN fails on a standby server of PostgreSQL, although a standby accepts connections.
      await one.query(`listen ${pg.escapeIdentifier(channel)}`);
      return one;
    } catch (error) {
      one.end().catch(() => {});
      throw error;
    }
  }

  async function keepListening(): Promise<void> {
    const { signal } = closing;
    while (!signal.aborted) {
      const current = client;
      await new Promise((resolve) => current.once('end', resolve));
      if (signal.aborted) return;
      log.warn(`the connection that listens for ${channel} was lost`);
      try {
        client = await waitForDatabase(connect, { signal, onAway: () => {}, isAway: () => true });
        onGap();
      } catch {
        // The wait for the database throws only when the channel of notifications is closed; then there is no further
        // try.
        return;
      }
    }
    await client.end().catch(() => {});
  }
}
