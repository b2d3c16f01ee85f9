export const IMPORT_STEPS = ['file', 'columns', 'rows', 'done'] as const;
export type ImportStep = (typeof IMPORT_STEPS)[number];

/** Filters for the rows of an imported file. Rows with the filter `warned` are among those that will be imported. */
export const ROW_FILTERS = ['refuse', 'ask', 'create', 'update', 'warned', 'keep', 'skip', 'all'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

export interface ImportSearch {
  step?: Exclude<ImportStep, 'file'> | undefined;
  show?: RowFilter | undefined;
}

export function readImportSearch({ step, show }: Record<string, unknown>): ImportSearch {
  const named = IMPORT_STEPS.find((one) => one === step);
  return {
    step: named === 'file' ? undefined : named,
    show: ROW_FILTERS.find((one) => one === show),
  };
}
