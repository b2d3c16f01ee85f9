import { backOffMs, type RestartTimes } from '../../model/lifecycle.ts';
import { type Slot, slotName } from '../../model/slots.ts';

type EnvironmentSlot = Omit<Slot, 'environmentId'>;

/**
 * Delay before an environment's failed process is started again; for each slot, it grows with its failures in a row.
 */
export class BackOff {
  readonly #times: RestartTimes | undefined;
  /** Number of failed starts in a row of each slot, by slot name. */
  readonly #failures = new Map<string, number>();

  constructor(times: RestartTimes | undefined) {
    this.#times = times;
  }

  add(slot: EnvironmentSlot): void {
    const name = slotName(slot);
    this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
  }

  /** Forgets earlier failures of a slot, because a new release may start. */
  reset(slot: EnvironmentSlot): void {
    this.#failures.delete(slotName(slot));
  }

  /** Delay before the next start after a slot's last failure, in milliseconds. */
  delayMs(slot: EnvironmentSlot): number {
    return backOffMs(this.#failures.get(slotName(slot)) ?? 1, this.#times);
  }
}
