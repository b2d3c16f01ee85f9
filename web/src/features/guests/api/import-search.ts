export const STEPS = ['file', 'columns', 'rows', 'done'] as const;
export type Step = (typeof STEPS)[number];

/** Filters of the rows; `warned` rows are among those that will be imported. */
export const SHOWN = ['refuse', 'ask', 'create', 'update', 'warned', 'keep', 'skip', 'all'] as const;
export type Shown = (typeof SHOWN)[number];

export interface ImportSearch {
  step?: Exclude<Step, 'file'> | undefined;
  show?: Shown | undefined;
}

export function readImportSearch({ step, show }: Record<string, unknown>): ImportSearch {
  const named = STEPS.find((one) => one === step);
  return {
    step: named === 'file' ? undefined : named,
    show: SHOWN.find((one) => one === show),
  };
}
