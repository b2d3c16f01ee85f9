/**
 * Urgency of a mail. `ordinary`: one mailbox gets one such mail an hour about an event. `requested`: the mail's reader
 * asked for it by an own action. It waits for no other mail, but one mailbox gets only few of them in an hour.
 * `service`: a code, or a message of Simcha to its own users; it waits for nothing. `cancellation`: it is sent at once
 * to people who had mail about the event before, and does not count against the budget.
 */
export type Urgency = 'ordinary' | 'requested' | 'service' | 'cancellation';

/** Sender of mails, who has a mail budget. */
export interface MailSender {
  /** Id of an organizer or a user. */
  id: string;
  /** Time at which the sender registered or made their first event: the first day has a smaller budget. */
  since: Temporal.Instant;
}

/** Sender of a mail, its urgency, and the event that it is about. */
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
