import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react';
import type { LogLine } from 'simcha-client';
import { untilVisible, whileVisible } from '../../lib/page-visibility.ts';
import { LogBuffer, type LogSnapshot } from './log-buffer.ts';

/** Options of a stream of log lines, as the API client takes them. */
export interface Following {
  signal: AbortSignal;
  lastEventId?: string;
  onDisconnect(): void;
}

export type LogStream = AsyncGenerator<LogLine, unknown, undefined>;

interface LogOptions {
  /** Identifies the log: another key begins another log. */
  key: string;
  /** True for the log of a deployment, whose lines name their step. */
  hasSteps?: boolean;
  open(following: Following): LogStream;
  onEnd?(): void;
}

/** Time in milliseconds for which a hidden tab goes on reading; afterwards it reads on once it is visible again. */
const LINGERS_MS = 30_000;

/**
 * Reads a log from its first line, and goes on after the last line read: when the network was away, and when the tab
 * was hidden for long.
 */
export function useLog({ key, hasSteps = false, open, onEnd }: LogOptions): LogSnapshot {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key begins another log
  const buffer = useMemo(() => new LogBuffer(hasSteps), [key, hasSteps]);
  const begin = useEffectEvent(open);
  const end = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    const over = new AbortController();
    let hasEnded = false;
    const read = async (signal: AbortSignal) => {
      const { lastId } = buffer;
      const lines = begin({
        signal,
        onDisconnect: () => buffer.setConnection('lost'),
        ...(lastId !== undefined && { lastEventId: lastId }),
      });
      while (true) {
        const { value, done } = await lines.next();
        if (done) {
          hasEnded = !signal.aborted;
          return;
        }
        if (signal.aborted) return;
        buffer.add(value);
      }
    };
    const readWhileVisible = async () => {
      while (!over.signal.aborted && !hasEnded) {
        await untilVisible(over.signal);
        await whileVisible(over.signal, LINGERS_MS, read);
      }
      if (!hasEnded) return;
      buffer.setConnection('ended');
      end();
    };
    readWhileVisible().catch((error) => buffer.setConnection('ended', error));
    return () => over.abort();
  }, [buffer]);
  return useSyncExternalStore(buffer.subscribe, buffer.snapshot);
}
