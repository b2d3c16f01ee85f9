import { type Reason, say } from './reason.ts';

/** The site's own fault, for its owner to mend. */
export class RuntimeFailure extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(say(reason, 'en'));
    this.reason = reason;
  }
}
