import { EventEmitter } from 'node:events';
import type { Listen } from '../../kernel/database/channel.ts';

export interface ChangeHandlers {
  /** What is asked of an environment, or what runs of it, may be another by now. */
  onChange: (environmentId: string) => void;
  /** Anything may have changed. */
  onGap: () => void;
}

/** What servers tell each other of environments, from each change's commit on; one connection listens for all in a process. */
export interface Changes {
  follow(handlers: ChangeHandlers): () => void;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** `listen` opens the channel `simcha_environments`, on which triggers name each environment that changes. */
export function createChanges(listen: Listen): Changes {
  const told = new EventEmitter().setMaxListeners(0);
  let stop: (() => Promise<void>) | undefined;
  return {
    follow({ onChange, onGap }) {
      told.on('change', onChange).on('gap', onGap);
      return () => void told.off('change', onChange).off('gap', onGap);
    },
    async start() {
      stop ??= await listen({
        onMessage: (payload) => void (payload === '' ? told.emit('gap') : told.emit('change', payload)),
        onGap: () => void told.emit('gap'),
      });
    },
    async close() {
      await stop?.();
    },
  };
}
