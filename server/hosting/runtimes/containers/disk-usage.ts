import { excessReason } from '../../engine/disk-usage.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Labels } from '../../engine/labels.ts';
import { HOME, INSTANCE, KIND, ownContainers } from '../../engine/site-containers.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { aboutOf } from '../container-order.ts';

/** Finds sites and commands that have written more than they may: into one of their volumes, or outside of these. */
export async function overfullInstances(
  engine: Engine,
  labels: Labels,
  signal: AbortSignal,
): Promise<{ instance: string; how: Reason }[]> {
  const all = await ownContainers(engine, labels, signal);
  const running = all.filter(
    ({ State, Labels }) => State === 'running' && ['site', 'task'].includes(Labels[KIND] ?? ''),
  );
  if (running.length === 0) return [];
  const { containers, volumes } = await engine.usage(signal);
  return running.flatMap(({ Id, Labels, Mounts }) => {
    const { diskMb: mebibytes } = aboutOf(Labels);
    const filled = [
      { bytes: containers.get(Id), exceeds: 'layer_exceeds' as const },
      ...Mounts.map(({ Name = '', Destination }) => ({
        bytes: volumes.get(Name),
        exceeds: Destination === HOME ? ('home_exceeds' as const) : ('volume_exceeds' as const),
      })),
    ];
    const over = filled.flatMap(({ bytes = 0, exceeds }) => {
      const how = excessReason(bytes, mebibytes);
      return how ? [reason(exceeds, { how })] : [];
    });
    return over.slice(0, 1).map((how) => ({ instance: Labels[INSTANCE] ?? '', how }));
  });
}
