// npm run demo: events, guests and bookings; npm run demo -- apps: three deployed sites; npm run demo -- cluster: the
// sites on three machines.
import { ConfigError } from '../server/kernel/config.ts';
import './report-mistakes.ts';

const [what] = process.argv.slice(2);
if (what === '--help') {
  process.stdout.write(
    `npm run demo                 events with guests, answers and bookings, of demo@example.com
npm run demo -- --email me@example.com    the same, of another user
npm run demo -- apps         a server with three deployed sites
npm run demo -- cluster      the sites on three machines within this one
`,
  );
  process.exit(0);
}
if (what !== undefined && !['apps', 'cluster'].includes(what) && !what.startsWith('-')) {
  throw new ConfigError(`There is no demo "${what}": expected nothing, apps or cluster.`);
}
await import(what === 'apps' || what === 'cluster' ? `./demo/${what}.ts` : './demo/events.ts');
