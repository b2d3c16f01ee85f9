import type { MailContent } from './message.ts';
import { type MailProblem, mailProblemText } from './messages.ts';

/** Maximum number of mails handed over at once; the others stay in the queue, where they can be withdrawn. */
export const MOST_AT_ONCE = 3;

export interface Transport {
  /** Description, for the operator, of where mail is sent; contains no password. */
  destination: string;
  /**
   * Hands a mail over; resolves when it is accepted. Throws MailRefused if the mail will never be accepted, another
   * error if another try may help.
   */
  deliver(id: string, content: MailContent): Promise<void>;
  close(): void;
}

/** Thrown if the mail server accepted the connection but will never accept this mail. */
export class MailRefused extends Error {
  readonly problem: MailProblem;

  constructor(problem: MailProblem) {
    super(mailProblemText(problem, 'en'));
    this.problem = problem;
  }
}
