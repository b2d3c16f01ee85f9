import { createOutbox, type StoredMail } from '../../server/kernel/mail/outbox.ts';
import { until } from './until.ts';

/**
 * Waits for the newest mail to `address` in a server's outbox. `past`: number of mails to the address that do not
 * count, because they were there before.
 */
export async function mailTo(dataDir: string, address: string, past = 0): Promise<StoredMail> {
  const outbox = createOutbox(dataDir);
  let found: StoredMail[] = [];
  await until(async () => {
    found = (await outbox.newest(500)).filter(({ to }) => to === address);
    return found.length > past;
  }, 20_000);
  return found[0] as StoredMail;
}

/** Number of mails to `address` in the server's outbox. */
export async function mailsTo(dataDir: string, address: string): Promise<number> {
  return (await createOutbox(dataDir).newest(500)).filter(({ to }) => to === address).length;
}

/** One-time code in the newest mail to `address` in the server's outbox. */
export async function codeTo(dataDir: string, address: string, past = 0): Promise<string> {
  const { text } = await mailTo(dataDir, address, past);
  return /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text)?.[0] ?? '';
}
