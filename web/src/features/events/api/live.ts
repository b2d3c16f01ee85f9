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

/** One for an event, whoever listens: a browser has few connections to spare. */
interface Stream {
  listeners: Set<Listener>;
  isHeard: boolean;
  over: AbortController;
}

const streams = new Map<string, Stream>();
/** From one page of an event to the next the stream stays, and where somebody looks away for a moment. */
const LINGERS_MS = 2_000;

/** Follows what guests do while a page is open and seen, tells of it, and gives whether it is heard just now. */
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
  // Of six connections a browser has for a server each tab would keep one, and the seventh get none at all.
  const followWhileSeen = async () => {
    while (!over.aborted) {
      await untilSeen(over);
      await whileSeen(over, LINGERS_MS, follow);
    }
  };
  followWhileSeen().catch(() => {
    // What can't be mended by asking again: the next page that listens begins anew.
    if (streams.get(id) === stream) streams.delete(id);
    heard(false);
  });
  return stream;
}
