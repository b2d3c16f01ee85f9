import { backOffMs, type RestartTimes } from '../../model/lifecycle.ts';
import { type Slot, slotName } from '../../model/slots.ts';

type EnvironmentSlot = Omit<Slot, 'environmentId'>;

/** Delay before each slot of an environment is started again, which grows with its failures in a row. */
export class BackOff {
  readonly #times: RestartTimes | undefined;
  /** Number of failures in a row by slot name. */
  readonly #failures = new Map<string, number>();

  constructor(times: RestartTimes | undefined) {
    this.#times = times;
  }

  add(slot: EnvironmentSlot): void {
    const name = slotName(slot);
    this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
  }

  /** Forgets earlier failures, because a new release may start. */
  reset(slot: EnvironmentSlot): void {
    this.#failures.delete(slotName(slot));
  }

  /** Delay in milliseconds after the last failure. */
  delayMs(slot: EnvironmentSlot): number {
    return backOffMs(this.#failures.get(slotName(slot)) ?? 1, this.#times);
  }
}
