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
Prints an invitation for one mail address, to be sent as "invitation" when it registers or first signs in. It is needed if
REGISTRATION does not admit the address, and is valid for its --lifetime (7d; hours, days or weeks). No database is
needed: servers with this ENCRYPTION_KEY, or this DATA_DIR, accept it.
`,
  );
  process.exit(0);
}
const { email, lifetime } = values;
if (!isMailAddress(email)) {
  throw new ConfigError(`--email is "${email}"; expected a mail address, such as dev@example.com.`);
}
const [, count, unit = ''] = /^([1-9]\d{0,2})([hdw])$/.exec(lifetime) ?? [];
if (!count) {
  throw new ConfigError(`--lifetime is "${lifetime}"; expected a number and h, d or w, such as 7d.`);
}
const encryption = await openEncryption(readConfig(loadEnvironment()));
const until = Temporal.Now.instant().add({ hours: Number(count) * (HOURS[unit] ?? 0) });
process.stdout.write(`${newInvitation(encryption, email, until)}\n`);
