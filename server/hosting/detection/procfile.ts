import { RELEASE } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';

export interface Procfile {
  processes: Readonly<Record<string, string>>;
  release?: string;
}

/** Pattern for names of a site's processes. */
export const PROCESS_NAME_FORM = /^[a-z][a-z0-9-]{0,30}$/;
export const MOST_PROCESSES = 20;
const LONGEST_SHOWN = 60;

/** Parses a Procfile: https://devcenter.heroku.com/articles/procfile. Throws RuntimeFailure. */
export function readProcfile(text: string): Procfile {
  const lines = text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [, name, command] = /^([A-Za-z0-9_-]+):[ \t]*(\S.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || command === undefined)
      throw new RuntimeFailure(
        reason('procfile_line', { line: index + 1, text: line.slice(0, LONGEST_SHOWN) }),
      );
    return [[name, command] as const];
  });
  for (const [name] of lines) {
    if (!PROCESS_NAME_FORM.test(name)) throw new RuntimeFailure(reason('process_name', { name }));
  }
  const { [RELEASE]: release, ...processes } = Object.fromEntries(lines);
  if (Object.keys(processes).length > MOST_PROCESSES) {
    throw new RuntimeFailure(reason('too_many_kinds', { most: MOST_PROCESSES }));
  }
  return { processes, ...(release !== undefined && { release }) };
}
