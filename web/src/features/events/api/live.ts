import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { followGuests, type GuestEvent } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { untilVisible, whileVisible } from '../../../lib/page-visibility.ts';
import { countsQuery } from './events.ts';

interface Listener {
  onEvent(event: GuestEvent): void;
  onConnection(isConnected: boolean): void;
}

/**
 * Stream of changes of an event's guests. All listeners share it, since browsers allow only a few connections to a
 * server.
 */
interface Stream {
  listeners: Set<Listener>;
  isConnected: boolean;
  over: AbortController;
}

const streams = new Map<string, Stream>();
/**
 * Time for which a stream stays open without listeners or in a hidden tab, in milliseconds. It covers the way to the
 * next page of the event and a short look at another tab.
 */
const LINGERS_MS = 2_000;

/**
 * Follows the changes of an event's guests while the page is open and visible. Returns true while the stream is
 * connected.
 */
export function useEventStream(id: string, onEvent: (event: GuestEvent) => void = () => {}): boolean {
  const queries = useQueryClient();
  const [isConnected, setConnected] = useState(true);
  const handle = useEffectEvent(onEvent);
  useEffect(
    () => listen(id, queries, { onConnection: setConnected, onEvent: (event) => handle(event) }),
    [id, queries],
  );
  return isConnected;
}

function listen(id: string, queries: QueryClient, listener: Listener): () => void {
  const stream = streams.get(id) ?? open(id, queries);
  stream.listeners.add(listener);
  listener.onConnection(stream.isConnected);
  return () => {
    stream.listeners.delete(listener);
    setTimeout(() => {
      if (stream.listeners.size > 0) return;
      if (streams.get(id) === stream) streams.delete(id);
      stream.over.abort();
    }, LINGERS_MS);
  };
}

function open(id: string, queries: QueryClient): Stream {
  const stream: Stream = { listeners: new Set(), isConnected: true, over: new AbortController() };
  streams.set(id, stream);
  const setConnected = (isConnected: boolean) => {
    stream.isConnected = isConnected;
    for (const listener of stream.listeners) listener.onConnection(isConnected);
  };
  const { signal: over } = stream.over;
  let lastEventId: string | undefined;
  const follow = async (signal: AbortSignal) => {
    const from = lastEventId === undefined ? {} : { lastEventId };
    for await (const event of followGuests({
      client,
      path: { id },
      signal,
      onDisconnect: () => setConnected(false),
      ...from,
    })) {
      lastEventId = event.id;
      setConnected(true);
      if (event.event === 'counts') queries.setQueryData(countsQuery(id).queryKey, event.data);
      else if (event.event === 'changed') await queries.invalidateQueries({ queryKey: ['event', id] });
      for (const listener of stream.listeners) listener.onEvent(event);
    }
  };
  // Hidden tabs close their streams: browsers allow six connections to a server, and the seventh tab would get none.
  const followWhileVisible = async () => {
    while (!over.aborted) {
      await untilVisible(over);
      await whileVisible(over, LINGERS_MS, follow);
    }
  };
  followWhileVisible().catch(() => {
    // An error that a retry can't repair ends the stream; the next page that listens opens a new one.
    if (streams.get(id) === stream) streams.delete(id);
    setConnected(false);
  });
  return stream;
}
