/**
 * How urgent a mail is. `ordinary`: one in an hour of a topic to one mailbox. `requested`: its reader asked for it by an own act;
 * it waits for no other mail, but few of them go to one mailbox in an hour. `service`: a code, or what Simcha tells its own users;
 * it waits for nothing. `cancellation`: it goes at once to those who had mail of the topic before, and is outside the budget.
 */
export type Urgency = 'ordinary' | 'requested' | 'service' | 'cancellation';

/** Whose mail it is: it counts in their budget. */
export interface MailSender {
  /** An organizer's or a user's id. */
  id: string;
  /** When they began here: the first day has a smaller budget. */
  since: Temporal.Instant;
}

/** On whose behalf mails go, and about what. */
export type MailOrigin =
  | { urgency: 'service'; sender?: Pick<MailSender, 'id'> | undefined }
  | {
      urgency: 'ordinary' | 'requested' | 'cancellation';
      sender: MailSender;
      /** An event's id. */
      topic: string;
      /** The mail is worth nothing later. */
      until?: Temporal.Instant | undefined;
    };
