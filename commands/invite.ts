import './report-mistakes.ts';
import { parseArgs } from 'node:util';
import { newInvitation } from '../server/identity/invitations.ts';
import { ConfigError, loadEnvironment, readConfig } from '../server/kernel/config.ts';
import { openEncryption } from '../server/kernel/encryption.ts';
import { isMailAddress } from '../server/kernel/mail/address.ts';

const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24 };

const { values } = parseArgs({
  options: {
    email: { type: 'string', default: '' },
    lifetime: { type: 'string', default: '7d' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(
    `npm run invite -- --email dev@example.com --lifetime 7d
Prints an invitation for one mail address, to be sent as "invitation" when it registers or first signs in. It is needed
where REGISTRATION does not let the address in, and works until its --lifetime is over (7d; hours, days or weeks). No
database is needed: the server that has this ENCRYPTION_KEY, or this DATA_DIR, knows it.
`,
  );
  process.exit(0);
}
const { email, lifetime } = values;
if (!isMailAddress(email)) {
  throw new ConfigError(`--email has "${email}"; it takes a mail address, such as dev@example.com.`);
}
const [, count, unit = ''] = /^([1-9]\d{0,2})([hdw])$/.exec(lifetime) ?? [];
if (!count) {
  throw new ConfigError(`--lifetime has "${lifetime}"; it takes a number and h, d or w, such as 7d.`);
}
const encryption = await openEncryption(readConfig(loadEnvironment()));
const until = Temporal.Now.instant().add({ hours: Number(count) * (HOURS[unit] ?? 0) });
process.stdout.write(`${newInvitation(encryption, email, until)}\n`);
