import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import type { Instance, Runtime } from '../runtimes/runtime.ts';
import { addProcessUse, type ProcessUse } from './store.ts';

export interface ProcessMeterParts {
  runtime: Pick<Runtime, 'list' | 'usage'>;
  db: Kysely<unknown>;
  clock: Clock;
  log: Logger;
  everyMs: number;
}

const UNMEASURED = 'memory and processor time of sites can’t be measured; trying again';

/**
 * Measures the memory and processor time of all instances at an interval, until the signal aborts. Only the lease
 * holder does so. Never rejects.
 */
export async function measureProcesses(
  { runtime, db, clock, log, everyMs }: ProcessMeterParts,
  signal: AbortSignal,
): Promise<void> {
  const meter = new ProcessMeter(runtime);
  const { warn, clear } = repeatedWarnings(log);
  // The first measurement only learns how much processor time the instances that already run have used so far.
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      const uses = await meter.measure();
      if (!isFirst && uses.length > 0 && !signal.aborted) await addProcessUse(db, uses, clock());
      clear({}, UNMEASURED);
    } catch (error) {
      if (!signal.aborted) warn({}, UNMEASURED, (error as Error).message);
    }
    await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Meter of the instances of a runtime: knows how much processor time was measured before. */
export class ProcessMeter {
  readonly #runtime: Pick<Runtime, 'list' | 'usage'>;
  /** Processor time of each instance at the last measurement, in milliseconds. */
  #before = new Map<string, number>();

  constructor(runtime: Pick<Runtime, 'list' | 'usage'>) {
    this.#runtime = runtime;
  }

  /** Use of the machine by each process since the last measurement; none if the runtime can't measure it. */
  async measure(): Promise<ProcessUse[]> {
    if (!this.#runtime.usage) return [];
    const running = (await this.#runtime.list()).filter(({ ended }) => ended === undefined);
    const before = this.#before;
    this.#before = new Map();
    const uses = await Promise.all(running.map((one) => this.#useOf(one, before)));
    return sumByProcess(uses.filter((use) => use !== undefined));
  }

  async #useOf(
    { instance, labels }: Instance,
    before: ReadonlyMap<string, number>,
  ): Promise<ProcessUse | undefined> {
    const usage = await this.#runtime.usage?.(instance);
    if (!usage) return undefined;
    this.#before.set(instance, usage.processorMs);
    return {
      environmentId: labels.environmentId,
      process: labels.process,
      memoryBytes: usage.memoryBytes,
      processorMs: Math.max(0, usage.processorMs - (before.get(instance) ?? 0)),
    };
  }
}

/** Adds up the replicas of each process. */
function sumByProcess(uses: readonly ProcessUse[]): ProcessUse[] {
  const sums = new Map<string, ProcessUse>();
  for (const use of uses) {
    const key = `${use.environmentId} ${use.process}`;
    const { memoryBytes = 0, processorMs = 0 } = sums.get(key) ?? {};
    sums.set(key, {
      ...use,
      memoryBytes: memoryBytes + use.memoryBytes,
      processorMs: processorMs + use.processorMs,
    });
  }
  return [...sums.values()];
}
