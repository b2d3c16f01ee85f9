import type { MailContent } from './message.ts';
import { type MailProblem, sayProblem } from './messages.ts';

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
