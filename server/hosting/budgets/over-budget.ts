import { Refusal } from '../../kernel/refusal.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reasonCatalogue } from '../model/reasons/messages.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { type ApplicationUse, type Budget, countUsing, type Excess, totalOf } from './budget.ts';

/**
 * Error for a change that would exceed its owner's budget. A request is answered with it as a 409; a deployment has it
 * as its failure reason.
 */
export class OverBudget extends Refusal {
  readonly reason: Reason;

  constructor(excess: Excess) {
    const params = { ...excess };
    super(409, 'over_budget', reasonCatalogue.over_budget(params));
    this.reason = reason('over_budget', params);
  }
}

/** Rethrows an OverBudget as the failure reason of a deployment. */
export function asFailure(error: unknown): never {
  throw error instanceof OverBudget ? new RuntimeFailure(error.reason) : error;
}

/** Failure of a build when the owner's applications fill their disk budget. */
export function diskIsFull(budget: Budget, uses: readonly ApplicationUse[]): RuntimeFailure {
  return new RuntimeFailure(
    reason('disk_budget_full', {
      most: budget.disk_mb,
      used: totalOf(uses).disk_mb,
      applications: countUsing(uses, 'disk_mb'),
    }),
  );
}
