import { type Clock, toTimestamp } from '../../../kernel/clock.ts';
import type { BuildLog } from '../../builds/builder.ts';
import type { Logs } from '../../logs/logs.ts';
import { createRedactor } from '../../logs/redaction.ts';
import { sanitizedColors } from '../../logs/sanitized-output.ts';
import type { Launch } from '../../model/launch.ts';
import { type Slot, slotName } from '../../model/slots.ts';
import { valuesOf } from '../../model/variables.ts';

export interface EnvironmentLogParts {
  environmentId: string;
  logs: { write: Pick<Logs['write'], 'put'> };
  clock: Clock;
}

/**
 * Log of an environment's site, for lines that the server writes itself, such as the start of a process. The output of
 * the site's processes is written by Instances (instances.ts).
 */
export class EnvironmentLog {
  readonly #parts: EnvironmentLogParts;

  constructor(parts: EnvironmentLogParts) {
    this.#parts = parts;
  }

  write(...lines: readonly string[]): void {
    const { environmentId, logs, clock } = this.#parts;
    logs.write.put(environmentId, toTimestamp(clock()), lines);
  }

  /**
   * Writes what happened to a process: `text` continues a sentence that begins with the process's name, or with “the
   * site” if it is the only process.
   */
  writeAbout(slot: Omit<Slot, 'environmentId'>, isOneOfSeveral: boolean, text: string): void {
    this.write(isOneOfSeveral ? `${slotPrefix(slot)}${text}` : `the site ${text}`);
  }

  /** Log of work for a site outside of any deployment, such as repeating a build that was lost. */
  asBuildLog(launch: Pick<Launch, 'variables' | 'isOneOfSeveral' | 'process' | 'number'>): BuildLog {
    const hide = createRedactor(valuesOf(launch.variables));
    const output = (lines: readonly string[]) =>
      this.write(...lines.map((line) => `${linePrefix(launch)}${sanitizedColors(line, hide)}`));
    return { hide, output, write: (line) => output([line]), step: (_name, work) => work() };
  }
}

/**
 * Prefix of a process's lines in the site's log; empty for the site's only process. `number`: the replica's number, if
 * it differs from the launch's.
 */
export function linePrefix(
  launch: Pick<Launch, 'isOneOfSeveral' | 'process' | 'number'>,
  number = launch.number,
): string {
  return launch.isOneOfSeveral ? slotPrefix({ process: launch.process, number }) : '';
}

function slotPrefix(slot: Omit<Slot, 'environmentId'>): string {
  return `${slotName(slot)} | `;
}
