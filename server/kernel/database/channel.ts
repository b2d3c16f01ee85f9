import type { NotificationHandlers } from './notifications.ts';

/** Opens a channel; gives what closes it. */
export type Listen = (handlers: NotificationHandlers) => Promise<() => Promise<void>>;

/** A channel that is opened for the first who needs it, and by the next one where that failed. */
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
