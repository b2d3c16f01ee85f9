import { useCallback, useState } from 'react';
import type { ImportReport } from 'simcha-client';
import { useStored, writeStored } from '../../../lib/stored-value.ts';
import { type ImportChoices, NO_CHOICES } from '../api/import.ts';

/**
 * Open files by event. They last while the console is open; a reload loses them, since browsers give no file a second
 * time.
 */
const files = new Map<string, File>();

/** State of an import that survives a reload. */
interface StoredImport {
  /** File that the state belongs to. */
  file?: { name: string; size: number };
  said: ImportChoices;
  /** Selected fields of columns that are not yet confirmed. */
  chosen: ImportChoices['mapping'];
}

/** Result of an import. */
export interface ImportResult extends Pick<ImportReport, 'created' | 'updated' | 'unchanged' | 'skipped'> {
  left: number;
  /** Ids of the created guests. */
  ids: string[];
  toMend?: { name: string; content: string };
  isTakenBack?: boolean;
}

export interface ImportDraft extends StoredImport {
  held: File | undefined;
  taken: ImportResult | undefined;
  take(file: File): void;
  keep(kept: Partial<Pick<StoredImport, 'said' | 'chosen'>>): void;
  finish(taken: ImportResult): void;
  startOver(): void;
}

const NOTHING: StoredImport = { said: NO_CHOICES, chosen: {} };

export const pastedCellsKey = (eventId: string): string => `import-${eventId}-pasted`;

/** Import in progress: the file with the user's decisions and corrections. */
export function useImportDraft(eventId: string): ImportDraft {
  const [held, setHeld] = useState(() => files.get(eventId));
  const [kept, setKept] = useStored<StoredImport>(`import-${eventId}`, NOTHING);
  const [taken, setTaken] = useStored<ImportResult | undefined>(`import-${eventId}-taken`, undefined);
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
      writeStored(pastedCellsKey(eventId), undefined);
      hold(undefined);
    },
    startOver() {
      setKept(NOTHING);
      setTaken(undefined);
      hold(undefined);
    },
  };
}
