import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ImportReport, importGuests, type Progress, SimchaError } from 'simcha-client';
import { client, withProgress } from '../../../lib/api.ts';
import type { Language } from '../../../lib/languages.ts';
import { reloadList, reloadNumbers } from './guests.ts';
import type { ImportedList, TagSource } from './import-lists.ts';

export type { ImportReport };
export type ImportRow = ImportReport['rows'][number];
export type ImportColumn = ImportedList['columns'][number];
export type LeftRow = ImportReport['left_rows'][number];
export const DECISIONS = ['update', 'create', 'skip'] as const;
export type Decision = (typeof DECISIONS)[number];

/** User's decisions and corrections for an imported file. */
export interface ImportChoices {
  /** Guest fields that the user assigned to columns of the file, by the columns' keys. */
  mapping: Readonly<Record<string, string>>;
  /** Cells that the user corrected, by the row's reference and then by the column's letters. */
  corrections: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Decisions about rows that may be a guest who is already in the list, by the row's reference. `asked` is the row as
   * the server sent it when it asked for the decision.
   */
  decided: Readonly<Record<string, { decision: Decision; asked: ImportRow }>>;
  /** Number of people that applies to all families whose rows give no number of people. */
  familySize?: number;
  /** Number of people that the user entered for a single family, by the reference of the family's row. */
  counted: Readonly<Record<string, number>>;
  /** Names of the sheets that the import reads; undefined if the server chooses the sheets. */
  sheets?: readonly string[];
  /**
   * Names in the file that become tags of its guests: of the sheet, of the list, or of a part of the list; undefined
   * until the user has seen the lists.
   */
  tagsFrom?: readonly TagSource[];
  /** True to keep each guest's name as the file has it, even if it has a number of people in it. */
  keepsNames?: boolean;
}

export const NO_CHOICES: ImportChoices = { mapping: {}, corrections: {}, decided: {}, counted: {} };

/** Maximum length of each parameter of an import request that holds the user's choices, in characters. */
const LONGEST = 100_000;

type Parameter = 'mapping' | 'doubles' | 'mends' | 'family_size' | 'sheets' | 'tags_from';

/**
 * Encodes the user's choices as form fields and query of the import request. Choices that the user has not made are
 * left out.
 */
export function encodeChoices(choices: ImportChoices): {
  form: Partial<Record<Parameter, string>>;
  query: { keep_names?: true };
} {
  const { mapping, corrections, decided, familySize, counted, sheets, tagsFrom = [], keepsNames } = choices;
  const encode = (value: object) => (Object.keys(value).length > 0 ? JSON.stringify(value) : undefined);
  const rows = Object.entries(decided).map(([row, { decision }]) => [row, decision] as const);
  const doubles = encode(Object.fromEntries(rows));
  const [first] = rows;
  // The decisions about thousands of rows can be too long for the API. If all are the same, they are sent as one
  // decision for all rows.
  const isForAll = (doubles?.length ?? 0) > LONGEST && rows.every(([, decision]) => decision === first?.[1]);
  const all = {
    mapping: encode(mapping),
    doubles: isForAll ? first?.[1] : doubles,
    mends: encode(corrections),
    family_size: encode({ ...(familySize !== undefined && { '*': familySize }), ...counted }),
    sheets: sheets && JSON.stringify(sheets),
    tags_from: tagsFrom.join(',') || undefined,
  };
  const form = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return { form, query: keepsNames ? { keep_names: true } : {} };
}

/** True if the corrections of an import are longer than the API accepts. */
export const areCorrectionsTooLong = (mends: ImportChoices['corrections']): boolean =>
  JSON.stringify(mends).length > LONGEST;

type OnProgress = (progress: Progress) => void;

export interface ImportDryRun {
  report: ImportReport;
  /** Error if no column of the file has the guests' names, so that the server can't import the file. */
  problem?: SimchaError;
}

/** Dry run of a guest import, with the result for each row. */
export const importDryRunQuery = (
  eventId: string,
  file: File | undefined,
  choices: ImportChoices,
  language: Language,
  onProgress: OnProgress,
) =>
  queryOptions({
    queryKey: [
      'guests',
      eventId,
      'import',
      language,
      file?.name,
      file?.size,
      file?.lastModified,
      encodeChoices(choices),
    ],
    enabled: file !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // The query's result is kept only for a minute: a report of 50,000 rows takes some ten megabytes.
    gcTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    async queryFn({ signal }): Promise<ImportDryRun> {
      try {
        const { data } = await importGuests({
          ...withProgress(onProgress),
          client,
          signal,
          path: { id: eventId },
          query: { dry_run: true, ...encodeChoices(choices).query },
          body: { file: file as File, ...encodeChoices(choices).form },
        });
        return { report: data.import };
      } catch (error) {
        const body = error instanceof SimchaError && (error.body as { import?: ImportReport });
        if (error instanceof SimchaError && body && body.import)
          return { report: body.import, problem: error };
        throw error;
      }
    },
  });

interface Taking {
  file: File;
  choices: ImportChoices;
  /** True to import only the rows without errors and get the other rows back as a file. */
  isSome: boolean;
  key: string;
  signal: AbortSignal;
  onProgress: OnProgress;
}

export function useImportFile(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, choices, isSome, key, signal, onProgress }: Taking) => {
      const { form, query } = encodeChoices(choices);
      const { data } = await importGuests({
        ...withProgress(onProgress),
        client,
        signal,
        path: { id: eventId },
        query: { on_problem: isSome ? 'skip' : 'refuse', ...query },
        body: { file, ...form },
        headers: { 'idempotency-key': key },
      });
      return data.import;
    },
    onSuccess: () => Promise.all([reloadList(queries, eventId), reloadNumbers(queries, eventId)]),
  });
}
