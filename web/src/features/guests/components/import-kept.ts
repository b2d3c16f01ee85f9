import { useCallback, useState } from 'react';
import type { ImportReport } from 'simcha-client';
import { useStored, writeStored } from '../../../lib/stored-value.ts';
import { NOTHING_SAID, type Said } from '../api/import.ts';

/** From one page of the console to the next; a reload forgets them, as no browser gives a file a second time. */
const files = new Map<string, File>();

/** What outlives a reload. */
interface Kept {
  /** Which file it is said of. */
  file?: { name: string; size: number };
  said: Said;
  /** Of columns, until it is gone on with. */
  chosen: Said['mapping'];
}

/** What became of a file that was taken. */
export interface Taken extends Pick<ImportReport, 'created' | 'updated' | 'unchanged' | 'skipped'> {
  left: number;
  /** Of those who were created. */
  ids: string[];
  toMend?: { name: string; content: string };
  isTakenBack?: boolean;
}

export interface HeldImport extends Kept {
  held: File | undefined;
  taken: Taken | undefined;
  take(file: File): void;
  keep(kept: Partial<Pick<Kept, 'said' | 'chosen'>>): void;
  finish(taken: Taken): void;
  startOver(): void;
}

const NOTHING: Kept = { said: NOTHING_SAID, chosen: {} };

export const pastedAs = (eventId: string): string => `import-${eventId}-pasted`;

/** The file that is being taken into an event, and all that was said of it. */
export function useHeldImport(eventId: string): HeldImport {
  const [held, setHeld] = useState(() => files.get(eventId));
  const [kept, setKept] = useStored<Kept>(`import-${eventId}`, NOTHING);
  const [taken, setTaken] = useStored<Taken | undefined>(`import-${eventId}-taken`, undefined);
  const hold = useCallback(
    (file: File | undefined) => {
      if (file) files.set(eventId, file);
      else files.delete(eventId);
      setHeld(file);
    },
    [eventId],
  );
  return {
    ...kept,
    held,
    taken,
    take(file) {
      const { name, size } = file;
      const isSame = kept.file?.name === name && kept.file.size === size;
      setKept(isSame ? kept : { ...NOTHING, file: { name, size } });
      setTaken(undefined);
      hold(file);
    },
    keep: (changed) => setKept({ ...kept, ...changed }),
    finish(done) {
      setTaken(done);
      setKept(NOTHING);
      writeStored(pastedAs(eventId), undefined);
      hold(undefined);
    },
    startOver() {
      setKept(NOTHING);
      setTaken(undefined);
      hold(undefined);
    },
  };
}
