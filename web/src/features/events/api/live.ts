import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { followGuests, type GuestEvent } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { untilSeen, whileSeen } from '../../../lib/seen.ts';
import { countsQuery } from './events.ts';

interface Listener {
  told(told: GuestEvent): void;
  heard(isHeard: boolean): void;
}

/** Stream of an event, shared by all its listeners: browsers allow only a few connections to a server. */
interface Stream {
  listeners: Set<Listener>;
  isHeard: boolean;
  over: AbortController;
}

const streams = new Map<string, Stream>();
/**
 * Time for which a stream stays open without listeners or in a hidden tab: the next page of the event, or a short look
 * elsewhere, keeps it.
 */
const LINGERS_MS = 2_000;

/**
 * Follows the changes of an event's guests while the page is open and visible. Returns true while the stream is
 * connected.
 */
export function useLive(id: string, tell: (told: GuestEvent) => void = () => {}): boolean {
  const queries = useQueryClient();
  const [isHeard, setHeard] = useState(true);
  const told = useEffectEvent(tell);
  useEffect(() => listen(id, queries, { heard: setHeard, told: (event) => told(event) }), [id, queries]);
  return isHeard;
}

function listen(id: string, queries: QueryClient, listener: Listener): () => void {
  const stream = streams.get(id) ?? open(id, queries);
  stream.listeners.add(listener);
  listener.heard(stream.isHeard);
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
  const stream: Stream = { listeners: new Set(), isHeard: true, over: new AbortController() };
  streams.set(id, stream);
  const heard = (isHeard: boolean) => {
    stream.isHeard = isHeard;
    for (const listener of stream.listeners) listener.heard(isHeard);
  };
  const { signal: over } = stream.over;
  let after: string | undefined;
  const follow = async (signal: AbortSignal) => {
    const from = after === undefined ? {} : { after };
    for await (const told of followGuests({
      client,
      path: { id },
      signal,
      lost: () => heard(false),
      ...from,
    })) {
      after = told.id;
      heard(true);
      if (told.event === 'counts') queries.setQueryData(countsQuery(id).queryKey, told.data);
      else if (told.event === 'changed') await queries.invalidateQueries({ queryKey: ['event', id] });
      for (const listener of stream.listeners) listener.told(told);
    }
  };
  // Hidden tabs close their streams: browsers allow six connections to a server, and the seventh tab would get none.
  const followWhileSeen = async () => {
    while (!over.aborted) {
      await untilSeen(over);
      await whileSeen(over, LINGERS_MS, follow);
    }
  };
  followWhileSeen().catch(() => {
    // An error that a retry does not repair ends the stream; the next page that listens opens a new one.
    if (streams.get(id) === stream) streams.delete(id);
    heard(false);
  });
  return stream;
}
