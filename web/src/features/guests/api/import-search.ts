export const IMPORT_STEPS = ['file', 'columns', 'rows', 'done'] as const;
export type ImportStep = (typeof IMPORT_STEPS)[number];

/**
 * Filters of the rows of an imported file. `names`: the number of people was read from the guest's name; `uncounted`:
 * families without a number of people; `renamed`: rows that give an existing guest another name; `warned`: imported
 * rows with a warning; `left`: rows that are no guests, such as totals.
 */
export const ROW_FILTERS = [
  ...(['names', 'uncounted', 'refuse', 'ask', 'renamed', 'create', 'update'] as const),
  ...(['warned', 'keep', 'skip', 'left', 'all'] as const),
];
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
