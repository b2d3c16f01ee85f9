import type { Clock } from '../../../kernel/clock.ts';
import type { EnterOptions } from '../../../kernel/fair-queue.ts';
import type { Application, ApplicationStore } from '../../applications/store.ts';
import { messages } from '../../deployments/messages.ts';
import type { DeploymentRow } from '../../model/deployment-rows.ts';
import { type ScopedVariables, valuesOf } from '../../model/variables.ts';
import type { Records } from '../records/records.ts';
import type { BuildContext } from './artifacts.ts';
import type { DeploymentLog } from './deployment-log.ts';

/** Runs work that counts as a build, after waiting until this machine may run another build. */
export type EnterBuildSlot = <T>(make: () => Promise<T>, options: EnterOptions) => Promise<T>;

export interface DeploymentWorkParts {
  applications: Pick<ApplicationStore, 'siteVariables'>;
  records: Pick<Records, 'deployments'>;
  clock: Clock;
  row: DeploymentRow;
  application: Application;
  /** Full address of the site. */
  address: string;
  log: DeploymentLog;
  signal: AbortSignal;
  enterBuildSlot: EnterBuildSlot;
}

/** A deployment in progress: its row and application, its variables and its log. */
export class DeploymentWork implements BuildContext {
  readonly row: DeploymentRow;
  readonly application: Application;
  readonly address: string;
  readonly log: DeploymentLog;
  readonly signal: AbortSignal;
  /**
   * Environment variables of the site, read at the deployment's beginning, and again at the end of a wait for a build
   * slot.
   */
  variables: ScopedVariables = {};
  /** Variables of another application, whose values the log hides too. */
  #furtherVariables: ScopedVariables = {};
  readonly #parts: DeploymentWorkParts;

  constructor(parts: DeploymentWorkParts) {
    this.#parts = parts;
    this.row = parts.row;
    this.application = parts.application;
    this.address = parts.address;
    this.log = parts.log;
    this.signal = parts.signal;
  }

  /** Reads the site's current environment variables; the log hides their values from then on. */
  async readVariables(): Promise<void> {
    this.variables = await this.#parts.applications.siteVariables(this.application);
    this.#hideValues();
  }

  /** Makes the log hide the values of another application's variables too: a promoted release may contain them. */
  hideFurther(variables: ScopedVariables): void {
    this.#furtherVariables = variables;
    this.#hideValues();
  }

  #hideValues(): void {
    this.log.hideValues([...valuesOf(this.variables), ...valuesOf(this.#furtherVariables)]);
  }

  /**
   * Runs `make` once this machine may run another build. While the deployment waits for that, it counts as queued: a
   * newer deployment may supersede it.
   */
  inBuildSlot = async <T>(make: () => Promise<T>): Promise<T> => {
    const { records, clock, enterBuildSlot } = this.#parts;
    const superseded = new AbortController();
    let requeued: Promise<void> | undefined;
    let since = 0;
    const onWait = () => {
      since = performance.now();
      this.log.write(messages.log.waitsForPlace);
      requeued = this.log.flush().then(() => records.deployments.returnToQueue(this.row, clock()));
      requeued.catch((error) => superseded.abort(error));
    };
    const inSlot = async () => {
      if (!requeued) return make();
      await requeued;
      await records.deployments.leaveQueue(this.row, clock());
      this.log.write(messages.log.hasPlace(((performance.now() - since) / 1_000).toFixed(1)));
      await this.readVariables();
      return make();
    };
    return enterBuildSlot(inSlot, { signal: AbortSignal.any([this.signal, superseded.signal]), onWait });
  };
}
