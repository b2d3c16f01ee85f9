/**
 * Urgency of a mail. `ordinary`: one mailbox gets one such mail an hour about an event. `requested`: the mail's reader
 * asked for it by an own action. Neither urgency delays the other, but one mailbox gets only few requested mails in an
 * hour.
 * `service`: a code, or a message of Simcha to its own users; it waits for nothing. `cancellation`: it is sent at once
 * to people who had mail about the event before, and does not count against the budget.
 */
export type Urgency = 'ordinary' | 'requested' | 'service' | 'cancellation';

/** Sender of mails (an organizer or a user), for whom a mail budget counts. */
export interface MailSender {
  /** Id of the organizer or user who sends the mails. */
  id: string;
  /** Time at which the sender registered or made their first event: the first day has a smaller budget. */
  since: Temporal.Instant;
}

/** Origin of a mail: its sender, its urgency, and the event that it is about. */
export type MailOrigin =
  | { urgency: 'service'; sender?: Pick<MailSender, 'id'> | undefined }
  | {
      urgency: 'ordinary' | 'requested' | 'cancellation';
      sender: MailSender;
      /** Id of the event that the mail is about. */
      topic: string;
      /** Time after which the mail is useless and is not sent. */
      until?: Temporal.Instant | undefined;
      /** Network from which a visitor requested the mail. Only a hash of it is stored. */
      network?: string | undefined;
    };
