import { EventEmitter } from 'node:events';
import type { Listen } from '../../kernel/database/channel.ts';

export interface ChangeHandlers {
  /** Called when an environment's desired state or its instances may have changed. */
  onChange: (environmentId: string) => void;
  /** Called when notifications about changes were lost, so anything may have changed. */
  onGap: () => void;
}

/**
 * Notifications between servers about changed environments, sent at each change's commit. Each process has one
 * listening connection.
 */
export interface Changes {
  follow(handlers: ChangeHandlers): () => void;
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the notifications. `listen` opens the channel `simcha_environments`, on which triggers name each environment
 * that changes.
 */
export function createChanges(listen: Listen): Changes {
  const emitter = new EventEmitter().setMaxListeners(0);
  let stop: (() => Promise<void>) | undefined;
  return {
    follow({ onChange, onGap }) {
      emitter.on('change', onChange).on('gap', onGap);
      return () => void emitter.off('change', onChange).off('gap', onGap);
    },
    async start() {
      stop ??= await listen({
        onMessage: (payload) => void (payload === '' ? emitter.emit('gap') : emitter.emit('change', payload)),
        onGap: () => void emitter.emit('gap'),
      });
    },
    async close() {
      await stop?.();
    },
  };
}
