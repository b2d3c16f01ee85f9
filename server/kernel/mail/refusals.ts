import type { Kysely } from 'kysely';
import { Refusal } from '../refusal.ts';
import type { Forecast } from './budget.ts';
import type { Mail } from './mail.ts';
import { mailMessages } from './messages.ts';

/** Throws a 409 if the sender's mail is stopped. */
export async function refuseStopped(
  mail: Pick<Mail, 'stopReasonOf'>,
  db: Kysely<unknown>,
  sender: string,
): Promise<void> {
  const reason = await mail.stopReasonOf(db, sender);
  if (reason) throw new Refusal(409, 'mail_stopped', mailMessages.stopped[reason]);
}

/** Makes the 429 for a request to send mails of which some would have to wait too long. */
export function tooManyMailsRefusal({ now, later }: Forecast, requested: number): Refusal {
  const body = { mails_left: now + later };
  const headers = { 'retry-after': '86400' };
  return new Refusal(429, 'too_many_mails', mailMessages.tooMany(requested, now + later), { headers, body });
}
