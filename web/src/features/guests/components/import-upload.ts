import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ImportReport, Progress } from 'simcha-client';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useLanguage } from '../../../lib/language-context.tsx';
import { encodeChoices, type ImportDryRun, importDryRunQuery, useImportFile } from '../api/import.ts';
import type { ImportDraft, ImportResult } from './import-draft.ts';
import { partyTotals } from './import-rows.ts';

interface ImportTrial {
  /** Result of the file's last dry run. It stays visible while the next dry run is loading or fails. */
  tried: ImportDryRun | undefined;
  sent: Progress | undefined;
  isFetching: boolean;
  error: unknown;
  /** Resets the upload's progress. Must be called before a new file or new choices, which need a new upload. */
  resetProgress(): void;
  retry(): void;
  cancel(): void;
}

/** Dry run of the import, repeated for each new file and each new choice. */
export function useImportTrial(eventId: string, { openFile, choices }: ImportDraft): ImportTrial {
  const { language } = useLanguage();
  const queries = useQueryClient();
  const [sent, setSent] = useState<Progress>();
  const query = importDryRunQuery(eventId, openFile, choices, language, setSent);
  const { data, error, isFetching, refetch } = useQuery(query);
  const last = useRef<{ file: File; tried: ImportDryRun }>(undefined);
  if (openFile && data) last.current = { file: openFile, tried: data };
  return {
    tried: last.current?.file === openFile ? last.current?.tried : undefined,
    sent,
    isFetching,
    error,
    resetProgress: () => setSent(undefined),
    retry: () => void refetch().catch(() => {}),
    cancel: () => void queries.cancelQueries({ queryKey: query.queryKey }).catch(() => {}),
  };
}

interface ImportRun {
  sent: Progress | undefined;
  isPending: boolean;
  error: unknown;
  /** Imports the file; `isSome` imports only the rows without errors. */
  start(isSome: boolean): void;
  cancel(): void;
}

interface RunEnd {
  onDone(result: ImportResult): void;
  /** Called if the server refused the import, but not if the user cancelled it. */
  onRefusal(): void;
}

/** Imports the file with the user's choices. */
export function useImportRun(
  eventId: string,
  { openFile, choices }: ImportDraft,
  { onDone, onRefusal }: RunEnd,
): ImportRun {
  const [sent, setSent] = useState<Progress>();
  const abort = useRef<AbortController>(undefined);
  const keyOf = useIdempotencyKey();
  const importFile = useImportFile(eventId);
  const start = (isSome: boolean) => {
    if (!openFile) return;
    setSent(undefined);
    const key = keyOf([openFile.name, openFile.size, openFile.lastModified, encodeChoices(choices), isSome]);
    abort.current = new AbortController();
    const { signal } = abort.current;
    importFile.mutateAsync({ file: openFile, choices, isSome, key, signal, onProgress: setSent }).then(
      (report) => onDone(resultOf(report)),
      () => (signal.aborted ? importFile.reset() : onRefusal()),
    );
  };
  const { isPending, error } = importFile;
  return { sent, isPending, error, start, cancel: () => abort.current?.abort() };
}

function resultOf(report: ImportReport): ImportResult {
  const { created, updated, unchanged, skipped, refused, asked, rows, to_mend: toMend } = report;
  const ids = rows.flatMap(({ action, guest_id: id }) => (action === 'create' && id ? [id] : []));
  const { people } = partyTotals(rows.filter(({ action }) => action === 'create'));
  return {
    created,
    people,
    updated,
    unchanged,
    skipped,
    left: refused + asked,
    ids,
    ...(toMend && { toMend }),
  };
}
