import { type Application, type Deployment, followDeploymentLines, readDeployment } from 'simcha-client';
import { CommandError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { interruption } from '../interruption.ts';
import type { Output } from '../output/output.ts';
import { StepProgress } from '../output/step-progress.ts';
import { duration } from '../output/time.ts';
import type { Server } from '../server.ts';

const FINAL = ['live', 'failed', 'superseded', 'cancelled'];

/**
 * Prints the log of a deployment until it ends, and its result. Throws with the exit code for failed deployments unless
 * it went live. With `--json`, only the deployment's record goes to stdout, as JSON.
 */
export async function followDeployment(
  { client }: Server,
  output: Output,
  application: Application,
  { deployment_uuid }: Pick<Deployment, 'deployment_uuid'>,
  address = application.domain,
): Promise<void> {
  const path = { uuid: application.application_uuid, deployment: deployment_uuid };
  const query = output.logColours;
  const signal = interruption();
  const stream = output.isJson ? process.stderr : process.stdout;
  const progress = new StepProgress(stream, output.isJson ? output.stderr : output.stdout);
  let record: Deployment;
  try {
    do {
      const onDisconnect = () => progress.disconnected();
      for await (const { text } of followDeploymentLines({ client, path, query, signal, onDisconnect }))
        progress.line(text);
      if (signal.aborted) throw detached(application, deployment_uuid);
      record = (await readDeployment({ client, path })).data;
    } while (!FINAL.includes(record.status));
  } finally {
    progress.end();
  }
  reportEnd(output, record, address, progress.milliseconds);
}

function detached({ name }: Application, uuid: string): CommandError {
  return new CommandError(`Detached: the deployment of ${name} goes on.`, {
    hint: `Follow it again: simcha logs --deployment ${uuid} --follow\nEnd it: simcha cancel ${uuid}`,
    exitCode: EXIT.interrupted,
  });
}

/** Prints how a deployment ended. Throws unless it went live. */
function reportEnd(output: Output, record: Deployment, address: string, milliseconds: number): void {
  const { green, bold } = output.stdout.colours;
  const { status, action, reason } = record;
  if (status === 'live') {
    output.result(record, () => `${green('✓')} Live in ${duration(milliseconds)}: ${bold(address)}`);
    return;
  }
  if (output.isJson) output.result(record, () => '');
  const how = { failed: 'failed', cancelled: 'was cancelled', superseded: 'was replaced by a newer one' };
  throw new CommandError(
    `The ${action === 'deploy' ? 'deployment' : action} ${how[status as keyof typeof how] ?? status}${reason ? `: ${reason}` : '.'}`,
    {
      ...(status === 'failed' && { hint: `Its log: simcha logs --deployment ${record.deployment_uuid}` }),
      exitCode: EXIT.deploymentFailed,
    },
  );
}
