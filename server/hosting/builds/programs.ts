import { satisfiesVersion } from '../detection/versions.ts';
import { sanitizedOutput } from '../logs/sanitized-output.ts';
import type { Program } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { End } from '../sandbox/command.ts';
import type { Output } from '../sandbox/lines.ts';
import type { BuildOrder } from './builder.ts';
import { messages } from './messages.ts';

export interface ProgramsParts {
  run(command: string, output: Output): Promise<End>;
  /** Makes the reason for a build that fails because a program is missing; it says how to get the program. */
  missing(program: Program): Reason;
}

/** Maximum number of output lines in which a program's version is searched for. */
const MOST_LINES = 2_000;

/** Checks the programs that a plan needs before anything runs. Throws a RuntimeFailure for a missing one. */
export async function checkPrograms(order: BuildOrder, parts: ProgramsParts): Promise<void> {
  for (const program of order.plan.programs ?? []) await checkProgram(order, program, parts);
}

async function checkProgram(
  { buildLog }: BuildOrder,
  program: Program,
  { run, missing }: ProgramsParts,
): Promise<void> {
  const { name, check, asked = [] } = program;
  let output: string[] = [];
  const end = await run(check, (lines) => {
    output = output.concat(lines).slice(0, MOST_LINES);
  });
  if (!end.succeeded && end.how.code !== 'exited') {
    throw new RuntimeFailure(reason('command_failed', { command: check, how: end.how }));
  }
  if (!end.succeeded) {
    buildLog.output(output);
    throw new RuntimeFailure(missing(program));
  }
  const installed = output.find((line) => line.trim() !== '')?.trim() ?? '';
  buildLog.write(messages.program(name, sanitizedOutput(installed, buildLog.hide)));
  for (const one of asked.filter((version) => !satisfiesVersion(installed, version))) {
    const { version, by, isBound } = one;
    if (isBound)
      throw new RuntimeFailure(reason('version_unmet', { language: name, version, by, has: installed }));
    buildLog.write(messages.otherVersion(name, version, by, installed));
  }
}
