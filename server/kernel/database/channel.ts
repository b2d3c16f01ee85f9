import type { NotificationHandlers } from './notifications.ts';

/** Opens a channel of database notifications. The result is a function that closes the channel. */
export type Listen = (handlers: NotificationHandlers) => Promise<() => Promise<void>>;

/**
 * Makes a channel of database notifications that opens at its first use. If opening fails, the next `open` tries again.
 */
export function createChannel(listen: Listen, handlers: NotificationHandlers) {
  let listening: Promise<() => Promise<void>> | undefined;
  return {
    async open(): Promise<void> {
      listening ??= listen(handlers);
      try {
        await listening;
      } catch (error) {
        listening = undefined;
        throw error;
      }
    },
    async close(): Promise<void> {
      await (await listening?.catch(() => undefined))?.();
    },
  };
}
