import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followGuests } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { countsQuery } from './events.ts';

/** Follows what guests do while a page is open, and puts it where it is read from; gives whether it is heard just now. */
export function useLiveCounts(id: string): boolean {
  const queries = useQueryClient();
  const [isHeard, setHeard] = useState(true);
  useEffect(() => {
    const over = new AbortController();
    follow(over.signal).catch(() => setHeard(false));
    return () => over.abort();

    async function follow(signal: AbortSignal): Promise<void> {
      const heard = followGuests({ client, path: { id }, signal, lost: () => setHeard(false) });
      for await (const { event, data } of heard) {
        setHeard(true);
        if (event === 'counts') queries.setQueryData(countsQuery(id).queryKey, data);
        else if (event === 'changed') await queries.invalidateQueries({ queryKey: ['event', id] });
      }
    }
  }, [id, queries]);
  return isHeard;
}
