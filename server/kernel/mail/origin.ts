/**
 * Urgency of a mail. `ordinary`: one an hour of a topic to one mailbox. `requested`: its reader asked for it by an own
 * action; it waits for no other mail, but only few of them go to one mailbox in an hour. `service`: a code, or a
 * message of Simcha to its own users; it waits for nothing. `cancellation`: it goes at once to people who had mail of
 * the topic before, and is outside the budget.
 */
export type Urgency = 'ordinary' | 'requested' | 'service' | 'cancellation';

/** Sender whose budget a mail counts against. */
export interface MailSender {
  /** Id of an organizer or a user. */
  id: string;
  /** Time at which they began here: the first day has a smaller budget. */
  since: Temporal.Instant;
}

/** Sender and topic of mails. */
export type MailOrigin =
  | { urgency: 'service'; sender?: Pick<MailSender, 'id'> | undefined }
  | {
      urgency: 'ordinary' | 'requested' | 'cancellation';
      sender: MailSender;
      /** Id of an event. */
      topic: string;
      /** Time after which the mail is useless. */
      until?: Temporal.Instant | undefined;
    };
