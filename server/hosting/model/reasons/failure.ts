import { describeReason, type Reason } from './reason.ts';

/** Failure caused by the site, which its owner has to fix. */
export class RuntimeFailure extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(describeReason(reason, 'en'));
    this.reason = reason;
  }
}
