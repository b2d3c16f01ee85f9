/** Search parameters of the processes page. */
export interface ProcessSearch {
  /** Identifier of the run whose output is open. */
  run?: string;
  /** Name of the job whose runs alone are listed. */
  job?: string;
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

export function readProcessSearch({ run, job }: Record<string, unknown>): ProcessSearch {
  const [runText, jobText] = [textIn(run), textIn(job)];
  return { ...(runText && { run: runText }), ...(jobText && { job: jobText }) };
}
