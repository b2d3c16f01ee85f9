import './report-mistakes.ts';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { RESOURCES, type Resource, totalOf } from '../server/hosting/budgets/budget.ts';
import { Budgets, setOwnBudget } from '../server/hosting/budgets/store.ts';
import { ConfigError, loadEnvironment, readConfig } from '../server/kernel/config.ts';
import { openDatabase } from '../server/kernel/database/open.ts';
import { createLogger } from '../server/kernel/log.ts';
import { migrations } from '../server/migrations/migrations.ts';

const MOST = 2 ** 24;
const OPTIONS = {
  applications: 'applications',
  replicas: 'replicas',
  memory_mb: 'memory-mb',
  processes: 'processes',
  disk_mb: 'disk-mb',
} as const satisfies Record<Resource, string>;

const OPTION_NAMES = Object.values(OPTIONS)
  .map((option) => `--${option}`)
  .join(', ');

const { values, positionals } = parseArgs({
  options: {
    applications: { type: 'string' },
    replicas: { type: 'string' },
    'memory-mb': { type: 'string' },
    processes: { type: 'string' },
    'disk-mb': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (values.help) {
  process.stdout.write(
    `npm run budget -- dev@example.com
Shows the limits of one developer over all of their applications, and what they use.

npm run budget -- dev@example.com --memory-mb 8192 --replicas 60
Overrides the settings (OWNER_MEMORY_MB, …) for this developer: a number, 0 for no limit, or "default" to use the setting again.
Options: ${OPTION_NAMES}. Takes effect at once, on all servers.
With the embedded database, stop the server first.
`,
  );
  process.exit(0);
}
const [email, ...others] = positionals;
if (email === undefined || others.length > 0) {
  throw new ConfigError(
    `Expected the mail address of one developer: npm run budget -- dev@example.com. Options: ${OPTION_NAMES}; --help tells more.`,
  );
}
const changes = Object.fromEntries(
  RESOURCES.flatMap((resource) => {
    const option = OPTIONS[resource];
    const text = values[option];
    return text === undefined ? [] : [[resource, amountOf(option, text)]];
  }),
);

const config = readConfig(loadEnvironment());
const database = openDatabase(config, migrations, createLogger({ ...config, logLevel: 'warn' }));
await database.prepare();
try {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from users where lower(email) = ${email.toLowerCase()} and verified`.execute(
    database.sql,
  );
  const [owner] = rows;
  if (!owner) throw new ConfigError(`There is no user with the verified address "${email}".`);
  if (Object.keys(changes).length > 0) await setOwnBudget(database.sql, owner.account_id, changes);
  const budgets = new Budgets(database.sql, config);
  const budget = await budgets.budgetOf(owner.account_id);
  const used = totalOf(await budgets.usesOf(owner.account_id));
  for (const resource of RESOURCES) {
    const most = budget[resource] === 0 ? 'no limit' : budget[resource];
    process.stdout.write(`${resource.padEnd(14)}${used[resource]} of ${most}\n`);
  }
} finally {
  await database.close();
}

/** Parses the new limit in an option of `npm run budget`; null means the default from the server's settings. */
function amountOf(option: string, text: string): number | null {
  if (text === 'default') return null;
  const amount = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (amount <= MOST) return amount;
  throw new ConfigError(
    `--${option} is "${text}"; expected a whole number from 0 to ${MOST}, 0 for no limit, or default.`,
  );
}
