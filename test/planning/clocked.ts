import type { DatabaseKind } from '../support/server.ts';
import { type MailServerOptions, startMailServer } from '../support/smtp.ts';
import { startEvent } from './event.ts';

/** A time by the clocks of Israel. */
export const wall = (text: string) =>
  Temporal.PlainDateTime.from(text).toZonedDateTime('Asia/Jerusalem').toInstant();

/** An event on a Sunday evening, with a mail server, on a server whose clock stands where it is put. */
export async function startClocked(
  kind: DatabaseKind,
  fields: object = {},
  from = '2027-06-01T10:00',
  manner: Pick<MailServerOptions, 'refuse'> = {},
) {
  let now = wall(from);
  const smtp = await startMailServer({ hideSTARTTLS: true, ...manner });
  const env = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, PUBLIC_URL: 'https://simcha.example.com' };
  const dated = { event_date: '2027-06-20T19:30', ...fields };
  const event = await startEvent(kind, dated, { env, clock: () => now, lifetime: '100y' });
  return {
    smtp,
    event,
    moveTo(text: string) {
      now = wall(text);
    },
    async [Symbol.asyncDispose]() {
      await event[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}
