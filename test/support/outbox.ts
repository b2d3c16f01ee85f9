import { createOutbox, type KeptMail } from '../../server/kernel/mail/outbox.ts';
import { until } from './until.ts';

/** The newest mail in a server's outbox to `address`, waited for; `past` as many as were there before. */
export async function mailTo(dataDir: string, address: string, past = 0): Promise<KeptMail> {
  const outbox = createOutbox(dataDir);
  let found: KeptMail[] = [];
  await until(async () => {
    found = (await outbox.newest(500)).filter(({ to }) => to === address);
    return found.length > past;
  }, 20_000);
  return found[0] as KeptMail;
}

/** How many mails to `address` are there. */
export async function mailsTo(dataDir: string, address: string): Promise<number> {
  return (await createOutbox(dataDir).newest(500)).filter(({ to }) => to === address).length;
}

/** The one-time code in the newest mail to `address`. */
export async function codeTo(dataDir: string, address: string, past = 0): Promise<string> {
  const { text } = await mailTo(dataDir, address, past);
  return /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text)?.[0] ?? '';
}
