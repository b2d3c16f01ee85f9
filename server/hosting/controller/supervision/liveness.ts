import { setTimeout as sleep } from 'node:timers/promises';
import type { Builder } from '../../builds/builder.ts';
import type { BackendLocation } from '../../model/backend-location.ts';
import type { Launch } from '../../model/launch.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { isAnswering } from './health.ts';
import { hostOf } from './running-instance.ts';

export interface LivenessProbe {
  launch: Launch;
  target: BackendLocation;
  builder: Pick<Builder, 'has'>;
  /** Maximum time without any answer of a site; 0: unlimited. */
  silentMs: number;
  /** Aborting this signal ends the check, which rejects with the signal's reason. */
  signal: AbortSignal;
  /** Returns false once nobody needs to know whether the site answers; the check then ends. */
  isNeeded?: () => boolean;
}

/** Number of probes within the time that a site may be silent: one lost answer is no failure. */
const PROBES = 6;

/**
 * Probes a site until it has been silent for too long, and resolves with the reason; undefined if nobody needs the
 * result any more.
 */
export async function untilUnresponsive(probe: LivenessProbe): Promise<Reason | undefined> {
  const { target, silentMs, signal, isNeeded = () => true } = probe;
  if (silentMs === 0) return undefined;
  const periodMs = Math.ceil(silentMs / PROBES);
  // The silence begins with the last answer, which counts as the first probe.
  for (let failures = 0; failures < PROBES - 1; ) {
    const [isAlive] = await Promise.all([
      isResponsive(probe, periodMs),
      sleep(periodMs, undefined, { signal, ref: false }),
    ]);
    failures = isAlive ? 0 : failures + 1;
    if (!isNeeded()) return undefined;
  }
  return target.kind === 'files' ? reason('files_gone') : reason('silent', { seconds: silentMs / 1_000 });
}

function isResponsive(
  { launch, target, builder, signal }: LivenessProbe,
  withinMs: number,
): Promise<boolean> {
  if (target.kind !== 'server') return builder.has(launch, launch.artifact, signal);
  const question = { origin: target.origin, path: launch.healthPath, host: hostOf(launch) };
  return isAnswering(question, withinMs, signal);
}
