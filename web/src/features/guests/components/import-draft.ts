import { useCallback, useState } from 'react';
import type { ImportReport } from 'simcha-client';
import { useStored, writeStored } from '../../../lib/stored-value.ts';
import { type ImportChoices, NO_CHOICES } from '../api/import.ts';

/**
 * Files that the user chose for an import of guests, by event. A reload of the console loses them, since browsers do
 * not let a page read a chosen file again.
 */
const files = new Map<string, File>();

/** State of an import that survives a reload of the page. */
interface StoredImport {
  /** Name and size of the file to which the stored choices belong. */
  file?: { name: string; size: number };
  choices: ImportChoices;
  /** Guest fields that the user selected for columns of the file, before they confirm them. */
  chosen: ImportChoices['mapping'];
}

/** Result of an import of guests. */
export interface ImportResult extends Pick<ImportReport, 'created' | 'updated' | 'unchanged' | 'skipped'> {
  left: number;
  /** Number of people in the parties of the guests that the import created. */
  people: number;
  /** Ids of the guests that the import created. */
  ids: string[];
  toMend?: { name: string; content: string };
  isTakenBack?: boolean;
}

export interface ImportDraft extends StoredImport {
  openFile: File | undefined;
  result: ImportResult | undefined;
  open(file: File): void;
  keep(changed: Partial<Pick<StoredImport, 'choices' | 'chosen'>>): void;
  finish(result: ImportResult): void;
  startOver(): void;
}

const NOTHING: StoredImport = { choices: NO_CHOICES, chosen: {} };

export const pastedCellsKey = (eventId: string): string => `import-${eventId}-pasted`;

/** Import in progress: the file with the user's decisions and corrections for it. */
export function useImportDraft(eventId: string): ImportDraft {
  const [openFile, setOpenFile] = useState(() => files.get(eventId));
  const [stored, setStored] = useStored<StoredImport>(`import-${eventId}-choices`, NOTHING);
  const [result, setResult] = useStored<ImportResult | undefined>(`import-${eventId}-taken`, undefined);
  const setFile = useCallback(
    (file: File | undefined) => {
      if (file) files.set(eventId, file);
      else files.delete(eventId);
      setOpenFile(file);
    },
    [eventId],
  );
  return {
    ...stored,
    choices: { ...NO_CHOICES, ...stored.choices },
    openFile,
    result,
    open(file) {
      const { name, size } = file;
      const isSame = stored.file?.name === name && stored.file.size === size;
      setStored(isSame ? stored : { ...NOTHING, file: { name, size } });
      setResult(undefined);
      setFile(file);
    },
    keep: (changed) => setStored({ ...stored, ...changed }),
    finish(done) {
      setResult(done);
      setStored(NOTHING);
      writeStored(pastedCellsKey(eventId), undefined);
      setFile(undefined);
    },
    startOver() {
      setStored(NOTHING);
      setResult(undefined);
      setFile(undefined);
    },
  };
}
