import type { Step } from '../model/plan.ts';
import { createQuote } from '../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { End } from '../sandbox/command.ts';
import type { Output } from '../sandbox/lines.ts';
import type { BuildOrder } from './builder.ts';

export interface StepsParts {
  /** Restores cached folders, after packages are installed and before anything is built. */
  restoreCaches(): Promise<void>;
  run(step: Step, output: Output): Promise<End>;
}

/** Runs the steps of a plan in order. Throws a RuntimeFailure that quotes the failed step. */
export async function runSteps(
  { plan, buildLog }: BuildOrder,
  { restoreCaches, run }: StepsParts,
): Promise<void> {
  const firstBuild = plan.steps.find(({ name }) => name === 'build');
  for (const step of plan.steps) {
    await buildLog.step(step.name, async () => {
      if (step === firstBuild) await restoreCaches();
      const { command } = step;
      buildLog.write(`$ ${command}`);
      const quote = createQuote(buildLog);
      const { succeeded, how } = await run(step, quote.add);
      if (succeeded) return;
      // A command's output is quoted only if the command failed by itself, not if the server ended it.
      const quotedLines = how.code === 'exited' && quote.params();
      throw new RuntimeFailure(reason('command_failed', { command, how, ...quotedLines }));
    });
  }
}
