import { useCallback, useState } from 'react';
import type { ImportReport } from 'simcha-client';
import { useStored, writeStored } from '../../../lib/stored-value.ts';
import { NOTHING_SAID, type Said } from '../api/import.ts';

/**
 * Open files by event. They last while the console is open; a reload loses them, since browsers give no file a second
 * time.
 */
const files = new Map<string, File>();

/** State of an import that survives a reload. */
interface Kept {
  /** File that the state belongs to. */
  file?: { name: string; size: number };
  said: Said;
  /** Selected fields of columns that are not yet confirmed. */
  chosen: Said['mapping'];
}

/** Result of an import. */
export interface Taken extends Pick<ImportReport, 'created' | 'updated' | 'unchanged' | 'skipped'> {
  left: number;
  /** Ids of the created guests. */
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

/** Import in progress: the file with the user's decisions and corrections. */
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
