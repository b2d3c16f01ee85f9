import './report-mistakes.ts';
import { parseArgs } from 'node:util';
import { signToken } from '../server/identity/tokens.ts';
import { ConfigError, loadEnvironment, readConfig } from '../server/kernel/config.ts';
import { isMailAddress } from '../server/kernel/mail/address.ts';
import { isSecretStored, storedSecret } from '../server/kernel/secret.ts';

const { values } = parseArgs({
  options: {
    sub: { type: 'string', default: 'me' },
    role: { type: 'string', default: 'organizer' },
    email: { type: 'string' },
    lifetime: { type: 'string', default: '30d' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(
    `npm run token -- --sub me --role organizer --email me@example.com --lifetime 12h
Prints a sign-in token of this server's for the event API (/api/events, /api/vendors, …), which also works at /docs. For
/api/v1 --sub must be the user_id of a user who registered here; others need an API key or access token (sk_…).

--sub       the user's id (me)
--role      their role (organizer; others may not create events)
--email     the address by which events are shared with them (none)
--lifetime  how long it is valid (30d)
`,
  );
  process.exit(0);
}
if (values.email !== undefined && !isMailAddress(values.email)) {
  throw new ConfigError(`--email is "${values.email}"; expected a mail address, such as me@example.com.`);
}
const config = readConfig(loadEnvironment());
const isNew = !config.jwtSecret && !(await isSecretStored(config.dataDir, 'jwt-secret'));
const secret = config.jwtSecret ?? (await storedSecret(config.dataDir, 'jwt-secret'));
const { sub: id, role, email, lifetime } = values;
if (!/^[1-9]\d{0,4}[smhdwy]$/.test(lifetime)) {
  throw new ConfigError(
    `--lifetime is "${lifetime}"; expected a number and s, m, h, d, w or y, such as 12h.`,
  );
}
process.stdout.write(`${await signToken(secret, { id, role, ...(email && { email }) }, lifetime)}\n`);
if (role !== 'organizer') {
  console.error(`The role "${role}" may not create events; the role for that is organizer.`);
}
if (isNew) {
  console.error(
    `No server has run with DATA_DIR ${config.dataDir} yet: its secret was created now. Servers with another DATA_DIR answer this token with a 401.`,
  );
}
