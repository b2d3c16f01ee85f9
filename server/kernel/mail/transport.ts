import type { MailContent } from './message.ts';
import { type MailProblem, sayProblem } from './messages.ts';

/** Mails that are being handed over; the others stay in the queue, where they can be withdrawn. */
export const MOST_AT_ONCE = 3;

export interface Transport {
  /** For the operator: where mail goes. Never a password. */
  destination: string;
  /** Resolves when the mail is accepted. Throws MailRefused when it never will be, anything else when it is worth another try. */
  deliver(id: string, content: MailContent): Promise<void>;
  close(): void;
}

/** The mail server took the connection and will not take this mail, now or later. */
export class MailRefused extends Error {
  readonly problem: MailProblem;

  constructor(problem: MailProblem) {
    super(sayProblem(problem, 'en'));
    this.problem = problem;
  }
}
