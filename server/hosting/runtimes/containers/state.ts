import { setTimeout as sleep } from 'node:timers/promises';
import type { InspectedContainer, ListedContainer } from '../../engine/container-calls.ts';
import type { Engine } from '../../engine/engine.ts';
import { INSTANCE } from '../../engine/site-containers.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { describeCode } from '../../sandbox/spawning.ts';
import { aboutOf } from '../container-order.ts';
import { type Instance, onlyReplica } from '../runtime.ts';

/** Exit code after SIGKILL: 128 and the signal's number. */
const KILLED = 137;
const RECORD_LOOK_MS = 100;
/** Time until an engine has recorded that a container ended because of its memory. */
const RECORDED_MS = 2_000;

/** Instance that runs in a container, or that has ended, with the reason. */
export function instanceOf(
  { Labels, NetworkSettings }: Pick<ListedContainer, 'Labels' | 'NetworkSettings'>,
  ended?: Reason,
): Instance {
  const { labels, port } = aboutOf(Labels);
  const instance = Labels[INSTANCE] ?? '';
  const address = Object.values(NetworkSettings.Networks)[0]?.IPAddress;
  const origin = port !== undefined && address ? `http://${address}:${port}` : undefined;
  return {
    instance,
    labels,
    replicas: ended ? [] : [onlyReplica(instance, labels, origin)],
    ...(port !== undefined && { port }),
    ...(ended && { ended }),
  };
}

/** Reason of a container's end; undefined while it runs, and before it was started. */
export function endOf(found: InspectedContainer): Reason | undefined {
  const { Running, ExitCode, OOMKilled, StartedAt, Error: error } = found.State;
  if (Running) return undefined;
  if (OOMKilled) return reason('too_much_memory', { mebibytes: aboutOf(found.Config.Labels).memoryMb });
  if (error !== '') return reason('cant_run', { error });
  if (StartedAt.startsWith('0001-')) return undefined;
  return describeCode(ExitCode);
}

/**
 * Details of a container, once everything about its end is recorded: a busy engine learns a moment after the end that
 * memory was the reason.
 */
export async function inspectSettled(
  engine: Engine,
  name: string,
  signal: AbortSignal,
): Promise<InspectedContainer | undefined> {
  for (;;) {
    const found = await engine.inspect(name, signal);
    if (!found || !mayLackReason(found)) return found;
    await sleep(RECORD_LOOK_MS, undefined, { signal });
  }
}

function mayLackReason({ State: { Running, ExitCode, OOMKilled, FinishedAt } }: InspectedContainer): boolean {
  const isKilled = !Running && !OOMKilled && ExitCode === KILLED;
  return isKilled && Date.now() - Date.parse(FinishedAt) < RECORDED_MS;
}
