import { useCallback, useState } from 'react';
import { useNotifyProblem } from '../../../components/notify.ts';
import { idsOfFound } from '../api/bulk.ts';
import type { GuestFilter } from '../api/search.ts';

export interface GuestSelection {
  /** Ids of the guests that the user has selected. */
  chosen: ReadonlySet<string>;
  /** True while the ids of all guests that match the filter are being read. */
  isReadingAll: boolean;
  choose(id: string, isChosen: boolean): void;
  /** Selects all guests that match the filter, including guests that are not loaded yet. */
  chooseAll(): void;
  clear(): void;
}

/**
 * Guests that are selected in the list. Another filter clears the selection: a hidden guest must not be changed by
 * mistake.
 */
export function useGuestSelection(eventId: string, filter: GuestFilter): GuestSelection {
  const filterName = JSON.stringify(filter);
  const notifyProblem = useNotifyProblem();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [chosenIn, setChosenIn] = useState(filterName);
  const [isReadingAll, setReadingAll] = useState(false);
  if (chosenIn !== filterName) {
    setChosenIn(filterName);
    setChosen(new Set());
  }
  // `useCallback` keeps `choose` the same between renders; otherwise every row of the list would render again.
  const choose = useCallback(
    (id: string, isChosen: boolean) =>
      setChosen((before) => {
        const next = new Set(before);
        if (isChosen) next.add(id);
        else next.delete(id);
        return next;
      }),
    [],
  );
  const readAll = async () => {
    setReadingAll(true);
    try {
      setChosen(new Set(await idsOfFound(eventId, filter)));
    } catch (error) {
      notifyProblem(error);
    } finally {
      setReadingAll(false);
    }
  };
  return {
    chosen,
    isReadingAll,
    choose,
    chooseAll: () => void readAll(),
    clear: () => setChosen(new Set()),
  };
}
