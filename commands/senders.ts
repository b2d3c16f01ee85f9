import './report-mistakes.ts';
import { parseArgs } from 'node:util';
import { systemClock } from '../server/kernel/clock.ts';
import { ConfigError, loadEnvironment, readConfig } from '../server/kernel/config.ts';
import { openDatabase } from '../server/kernel/database/open.ts';
import { createLogger } from '../server/kernel/log.ts';
import { isMailAddress } from '../server/kernel/mail/address.ts';
import {
  listSenders,
  releaseSender,
  type SenderSummary,
  type StopReason,
  stopSender,
} from '../server/kernel/mail/senders.ts';
import { migrations } from '../server/migrations/migrations.ts';
import { addressesOf, organizersOf } from '../server/planning/events/organizer-email.ts';

const MOST = 200;

const { values } = parseArgs({
  options: {
    stop: { type: 'string' },
    complaint: { type: 'string' },
    release: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { stop, complaint, release } = values;
const orders = [stop, complaint, release].filter((whom) => whom !== undefined);
if (values.help) {
  process.stdout.write(
    `npm run senders
Lists the senders of mail: mails of the last day and of 30 days, how many were refused and how many wait, and which are stopped.
  -- --stop noa@example.com       stops an organizer's mail; waiting mails stay in the queue
  -- --complaint noa@example.com  the same, after a complaint: the organizer is told so
  -- --release noa@example.com    releases it, within a minute
An organizer is named by their mail address, or as the list does. With the embedded database, stop the server first.
`,
  );
  process.exit(0);
}
if (orders.length > 1) throw new ConfigError('Expected only one of --stop, --complaint and --release.');
const config = readConfig(loadEnvironment());
const database = openDatabase(config, migrations, createLogger({ ...config, logLevel: 'warn' }));
await database.prepare();
try {
  const now = systemClock();
  if (release !== undefined) await change(release, (id) => releaseSender(database.sql, id, now), 'released');
  else if (complaint !== undefined) await change(complaint, halting('complaint', now), 'stopped');
  else if (stop !== undefined) await change(stop, halting('operator', now), 'stopped');
  else await list(now);
} finally {
  await database.close();
}

function halting(because: StopReason, now: Temporal.Instant) {
  return (id: string) => stopSender(database.sql, id, because, now);
}

async function change(whom: string, does: (id: string) => Promise<boolean>, done: string): Promise<void> {
  const ids = isMailAddress(whom) ? await organizersOf(database.sql, whom) : [whom];
  if (ids.length === 0 || whom === '') throw new ConfigError(`There is no organizer "${whom}".`);
  let changed = 0;
  for (const id of ids) if (await does(id)) changed += 1;
  process.stdout.write(changed > 0 ? `Done: the mail of ${whom} is ${done}.\n` : `It was ${done} already.\n`);
}

async function list(now: Temporal.Instant): Promise<void> {
  const senders = await listSenders(database.sql, now, MOST);
  const addresses = await addressesOf(
    database.sql,
    senders.map(({ sender }) => sender),
  );
  const head = ['organizer', 'day', '30 days', 'refused', 'waiting', 'stopped'];
  const lines = senders.map((one) => lineOf(one, addresses.get(one.sender)));
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  for (const line of [head, ...lines]) {
    const cells = line.map((cell, column) =>
      column === 0 || column === head.length - 1
        ? cell.padEnd(widths[column] ?? 0)
        : cell.padStart(widths[column] ?? 0),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

function lineOf(one: SenderSummary, address: string | undefined): string[] {
  const { sender, day, month, refused, waiting, stopped_because, stopped_at } = one;
  const stopped = stopped_because ? `${stopped_because} ${stopped_at?.toISOString().slice(0, 16)}Z` : '';
  return [address ?? sender, ...[day, month, refused, waiting].map(String), stopped];
}
